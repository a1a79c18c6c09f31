"""A query's processes at each of its points, counted by what they need."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from countci.counting.points import Plan, last_point
from countci.counting.processes import ForkedError
from countci.counting.request import Count
from countci.counting.run import Counter, Ran, run
from countci.errors import MeasureError
from countci.model import Point

_FORKS_NEED = (
    "with a C compiler and valgrind's headers, forked children are counted one by one: "
    "apt-get install gcc libc6-dev valgrind"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What was counted at each point."""

    points: tuple[Point, ...]
    first: Ran
    """The run of the first point, which is the one that is traced."""
    counter: Counter
    """What counted."""


def totals(work: Count, plan: Plan, runs: Executor, valgrind: str) -> Totals:
    """Return what was counted by cachegrind, or by callgrind where that alone can do it.

    Raises:
        MeasureError: as `run` raises it.
    """
    forked = None
    if work.counter != "callgrind":
        try:
            return _by(Counter(valgrind=valgrind), work, plan, runs)
        except ForkedError as error:
            forked = error
        shutil.rmtree(work.folder)
    return _by(Counter(valgrind=valgrind, forks=_forks(work, forked)), work, plan, runs)


def _forks(work: Count, forked: ForkedError | None) -> Path:
    """Return the library that forks need; raise what is wrong where there is none."""
    try:
        library = work.forks()
    except MeasureError:
        library = None
    if library is not None:
        return library
    problem = forked or ForkedError("its forked children can't be counted", where=work.asks(1).line)
    raise ForkedError(
        problem.problem, where=problem.where, detail=f"{problem.detail}\n{_FORKS_NEED}".strip()
    )


def _by(counter: Counter, work: Count, plan: Plan, runs: Executor) -> Totals:
    start = partial(_start, work, runs, counter)
    first, *rest = plan.points
    done = _finish([start(first, trace=work.trace), *(start(n, trace=False) for n in rest)])
    points = [_point(n, ran) for n, ran in zip(plan.points, done, strict=True)]
    if plan.grows:
        n = last_point(plan, (points[0].total, points[1].total))
        points.append(_point(n, *_finish([start(n, trace=False)])))
    return Totals(points=tuple(points), first=done[0], counter=counter)


def _point(n: int, ran: Ran) -> Point:
    return Point(n=n, total=ran.family.total)


def _start(work: Count, runs: Executor, counter: Counter, n: int, *, trace: bool) -> Future[Ran]:
    folder = work.folder / f"{n:08}"  # of equal length, whatever n
    return runs.submit(run, work.asks(n), folder, trace=trace, counter=counter)


def _finish(started: Sequence[Future[Ran]]) -> list[Ran]:
    # All of them end first, since they share a folder that goes when one has failed. Not by
    # `wait`, which a future that was cancelled never wakes.
    for each in started:
        each.exception()
    return [each.result() for each in started]
