"""Where a program runs: a child inherits the hardware threads of the thread that starts it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator

from countci.errors import MeasureError


@contextlib.contextmanager
def on_processors(cpus: Collection[int]) -> Iterator[None]:
    """Keep this thread, and what it starts meanwhile, to `cpus`; empty is wherever it may run.

    Nothing has to run in the child before the program, and no other program in between.

    Raises:
        MeasureError: the machine has none of them, or they may not be used.
    """
    if not cpus:
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, cpus)
    except OSError as error:
        numbers = ", ".join(map(str, cpus))
        raise MeasureError(f"hardware threads {numbers} can't be used: {error.strerror}") from error
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
