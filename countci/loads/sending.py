"""One load, from its first request until its result is there."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import countci.loads.tools as tools
from countci import process
from countci.errors import MeasureError
from countci.loads.client import client, result_of
from countci.loads.result import Found, read
from countci.model import Load
from countci.process import Command
from countci.units import Seconds

END = Seconds(15.0)
"""How long a load may take to end when it is told to: it waits for its last answers."""
_LOOK = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Where a load runs, and what it draws."""

    processor: int = -1
    """That it stays on; -1 for any."""
    seed: int = 0
    """Of the arrivals of an open loop."""


ANYWHERE = Turn()


@contextlib.contextmanager
def sent(
    load: Load,
    env: Mapping[str, str],
    folder: Path,
    *,
    turn: Turn = ANYWHERE,
    limit: Seconds | None = None,
) -> Iterator[Found]:
    """Send a load, and yield what it found; our own client's connections stay for the block.

    Args:
        load: placeholders filled in.
        env: the environment in which other programs are looked for.
        folder: takes what it writes.
        turn: where it runs, and its seed.
        limit: how long our own client may take; None: as long as such a load can take.

    Raises:
        MeasureError: it failed, or took too long.
    """
    if load.tool != "own":
        with process.on_processors({turn.processor} if turn.processor >= 0 else ()):
            found = tools.send(load, env, folder)
        yield found
        return
    result_of(folder).unlink(missing_ok=True)
    mine = client(load, folder, seed=turn.seed, processor=turn.processor)
    mine = replace(mine, timeout=limit or mine.timeout)
    with process.background(mine, grace=END, mark=("COUNTCI_LOAD", "own")) as running:
        _wait_for(result_of(folder), running, mine)
        yield read(result_of(folder))


def wait_until_begun(running: process.Background, mine: Command) -> None:
    """Return once our own client sends; told to end before that, it would leave no result.

    Raises:
        MeasureError: it failed, or took too long.
    """
    assert mine.stdout is not None
    end = time.monotonic() + END
    while not mine.stdout.stat().st_size and running.status is None:
        if time.monotonic() > end:
            raise MeasureError("the load did not begin", where=mine.line)
        time.sleep(_LOOK)


def _wait_for(result: Path, running: process.Background, mine: Command) -> None:
    assert mine.timeout is not None
    assert mine.stdout is not None
    end = time.monotonic() + mine.timeout
    while not result.exists():
        if running.status is not None:
            said = mine.stdout.read_text(errors="replace")
            process.raise_for_status(running.status or 1, mine, said)
        running.check_time()
        if time.monotonic() > end:
            raise MeasureError(f"the load still runs after {mine.timeout:g} s", where=mine.line)
        time.sleep(_LOOK)
