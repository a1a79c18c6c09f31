"""How many lines a file has, told while another program writes it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from countci.units import Seconds

_EVERY = Seconds(1.0)


@contextmanager
def following(file: Path, told: Callable[[int], None], every: Seconds = _EVERY) -> Iterator[None]:
    """Call `told`, from another thread, with the number of lines of `file` until the block ends.

    Args:
        file: need not be there yet.
        told: is called when the number is another one.
        every: between two looks.
    """
    over = threading.Event()
    thread = threading.Thread(
        target=_follow, args=(file, told, every, over), name=f"follow {file}", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _follow(file: Path, told: Callable[[int], None], every: Seconds, over: threading.Event) -> None:
    before = 0
    while not over.wait(every):
        lines = file.read_bytes().count(b"\n") if file.exists() else 0
        if lines != before:
            told(lines)
            before = lines
