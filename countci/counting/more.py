"""What is counted beside instructions, at the same n: system calls, allocations."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import countci.counting.dhat as dhat
import countci.counting.strace as strace
from countci import process
from countci.counting.request import Asks
from countci.errors import CountciError
from countci.model import ALLOCATED_BYTES, ALLOCATIONS, SYSCALLS, Counts, Point, Problem
from countci.process import Command
from countci.progress import Progress

_Run: TypeAlias = Callable[[Command, Path], Mapping[str, int]]


def _calls(command: Command, folder: Path) -> Mapping[str, int]:
    return {SYSCALLS.name: strace.run(command, folder)}


def _heap(command: Command, folder: Path) -> Mapping[str, int]:
    found = dhat.run(command, folder)
    return {ALLOCATIONS.name: found.blocks, ALLOCATED_BYTES.name: found.size}


_RUNS: Mapping[str, _Run] = {"strace": _calls, "dhat": _heap}
TOOLS: Mapping[str, str] = {
    SYSCALLS.name: "strace",
    ALLOCATIONS.name: "dhat",
    ALLOCATED_BYTES.name: "dhat",
}
"""What counts each metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What is to be counted of one query by one tool."""

    query: str
    tool: str
    asks: Asks
    points: tuple[int, ...]
    """The n of each."""
    folder: Path
    """Is made for the runs and removed after them. Of equal length for both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What became of it: counts by metric, or a problem."""

    counts: Mapping[str, Counts] = field(default_factory=dict)
    problem: Problem | None = None


def count_more(
    requests: Sequence[More], *, jobs: int, progress: Progress
) -> dict[tuple[str, str], Found]:
    """Return what became of each request, by its query and tool.

    A query that fails keeps none of the others from being counted.

    Args:
        requests: each with a folder of its own.
        jobs: processes that run at a time.
        progress: is told when one is done.
    """
    found = {}
    pool = ThreadPoolExecutor(jobs)
    try:
        started = {pool.submit(_found, each): (each.query, each.tool) for each in requests}
        for done, future in enumerate(as_completed(started), start=1):
            found[started[future]] = future.result()
            progress.advance(started[future][0], done, len(started))
    except BaseException:
        # Interrupted: what waits is dropped, what runs is ended, so that no thread hangs on.
        pool.shutdown(wait=False, cancel_futures=True)
        process.end_all()
        raise
    finally:
        pool.shutdown()
    return found


def _found(request: More) -> Found:
    try:
        return Found(counts=_counts(request))
    except CountciError as error:
        return Found(problem=Problem.of(error))
    finally:
        shutil.rmtree(request.folder, ignore_errors=True)


def _counts(request: More) -> dict[str, Counts]:
    shutil.rmtree(request.folder, ignore_errors=True)
    run = _RUNS[request.tool]
    totals = {  # folders of equal length, whatever n
        n: run(request.asks(n), request.folder / f"{n:08}") for n in request.points
    }
    names = (name for name, tool in TOOLS.items() if tool == request.tool)
    return {
        name: Counts(points=tuple(Point(n=n, total=each[name]) for n, each in totals.items()))
        for name in names
    }
