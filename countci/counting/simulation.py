"""One query, run once more with simulated caches and branches, as it was counted before."""

from __future__ import annotations

import shutil
from collections import Counter as Tally
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import countci.counting.cachegrind as cachegrind
from countci.counting.request import Count
from countci.counting.run import Counter, Ran, run
from countci.counting.simulation_file import totals
from countci.errors import MeasureError
from countci.model import Counts, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Misses:
    """What one ask misses, on average, in 32 KiB of data cache, 8 MiB of last level, ..."""

    data: float
    """In the first-level data cache."""
    last: float
    """In the last-level cache, of data and code."""
    branches: float
    """Mispredicted branches, indirect ones too."""
    instructions: float


_EVENTS = {
    "data": ("D1mr", "D1mw"),
    "last": ("ILmr", "DLmr", "DLmw"),
    "branches": ("Bcm", "Bim"),
    "instructions": ("Ir",),
}


def misses(work: Count, counts: Counts, runs: Executor) -> Misses:
    """Return what an ask misses, on the side that is on the stage.

    It takes about as long as the last two points of the count did, or three times that.

    Args:
        work: the query; its `counter` is what counted it.
        counts: what it counted. The last two points are run again, or the only one.
        runs: where processes are run, some at a time.

    Raises:
        MeasureError: it can't be run, or its children are forked without an exec.
    """
    command = work.asks(1)
    if work.counter == "callgrind":
        raise MeasureError(
            "its forked children can't be simulated apart from their parent", where=command.line
        )
    counter = Counter(valgrind=cachegrind.find(command.env, command.cwd), simulated=True)
    points = counts.points[-2:]
    shutil.rmtree(work.folder, ignore_errors=True)
    try:
        started = [runs.submit(_run, work, counter, point.n) for point in points]
        for each in started:  # all of them end before their folder goes
            each.exception()
        return _per_ask([_tally(each.result()) for each in started], points)
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)


def _run(work: Count, counter: Counter, n: int) -> Ran:
    folder = work.folder / f"{n:08}"  # of the length that it had when it was counted
    return run(work.asks(n), folder, trace=False, counter=counter)


def _tally(ran: Ran) -> Tally[str]:
    """Return what all processes of a run counted together, by event."""
    found: Tally[str] = Tally()
    for path in ran.files:
        found.update(totals(path.read_bytes(), name=path.name))
    return found


def _per_ask(found: Sequence[Tally[str]], points: Sequence[Point]) -> Misses:
    first = found[0] if len(found) > 1 else Tally[str]()
    asks = points[-1].n - (points[0].n if len(points) > 1 else 0)
    of = {
        name: sum(found[-1][event] - first[event] for event in events) / asks
        for name, events in _EVENTS.items()
    }
    return Misses(**of)
