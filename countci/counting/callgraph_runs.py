"""One query, run under callgrind for its lines and calls, as it was counted before."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Collection, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import countci.counting.cachegrind as cachegrind
from countci.counting.callgraph import difference
from countci.counting.callgraph_blocks import cut
from countci.counting.costgraph import CostGraph
from countci.counting.request import Count
from countci.counting.run import Counter, run
from countci.errors import MeasureError
from countci.model import Counts, Point, Reason

_START_UP = 0.001
"""Starting a process varies by a few instructions from tool to tool; a slope doesn't."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graphed:
    """A query's costs by line and call, and what was seen on the way."""

    graph: CostGraph
    notes: tuple[Reason, ...] = ()


def cost_graph(
    work: Count, counts: Counts, runs: Executor, touched: Collection[str] = ()
) -> Graphed:
    """Return what an ask costs by line and call, on the side that is on the stage.

    It takes about three times as long as the last two points of the count did.

    Args:
        work: the query; its `counter` is what counted it.
        counts: what it counted. The last two points are run again, or the only one.
        runs: where processes are run, some at a time.
        touched: files of the tree whose start-up is told too.

    Raises:
        MeasureError: it can't be run, or not be read.
    """
    command = work.asks(1)
    counter = Counter(
        valgrind=cachegrind.find(command.env, command.cwd), forks=_forks(work), calls=True
    )
    points = counts.points[-2:]
    shutil.rmtree(work.folder, ignore_errors=True)
    try:
        started = [
            runs.submit(run, work.asks(n), _folder(work, n), trace=False, counter=counter)
            for n in (point.n for point in points)
        ]
        for each in started:  # all of them end before their folder goes
            each.exception()
        *less, last = (each.result().files for each in started)
        asks = points[-1].n - (points[0].n if less else 0)
        graph = read(less[0] if less else (), last, asks=asks, stage=work.stage, touched=touched)
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)
    return Graphed(graph=graph, notes=_compared(graph, points))


def read(
    first: Iterable[Path], last: Iterable[Path], *, asks: int, stage: Path, touched: Collection[str]
) -> CostGraph:
    """Return what callgrind's files of two runs say of `asks` asks, as `difference` does.

    Args:
        first: of the run of fewer asks; nothing where one run is told whole.
        last: of the run of more.
        asks: how many more.
        stage: the tree.
        touched: files of the tree whose start-up is told too.

    Raises:
        MeasureError: a file is not callgrind's, or not whole.
    """
    # Millions of small tuples and not one cycle: the collector would look at each again and
    # again, for two fifths of the time.
    collects = gc.isenabled()
    gc.disable()
    try:
        return difference(cut(first, last), asks=asks, stage=stage, touched=touched)
    finally:
        if collects:
            gc.enable()


def _folder(work: Count, n: int) -> Path:
    return work.folder / f"{n:08}"  # of the length that it had when it was counted


def _forks(work: Count) -> Path | None:
    if work.counter != "callgrind":
        return None
    library = work.forks()
    if library is None:
        raise MeasureError(
            "its forked children can't be counted by line",
            where=work.asks(1).line,
            detail="apt-get install gcc libc6-dev valgrind",
        )
    return library


def _compared(graph: CostGraph, points: tuple[Point, ...]) -> tuple[Reason, ...]:
    """Return that callgrind counted something else than was measured, if it did."""
    counted = points[-1].total - (points[0].total if len(points) > 1 else 0)
    allowed = _START_UP * counted if len(points) == 1 else 0
    if abs(graph.total - counted) <= allowed:
        return ()
    text = (
        f"with its calls it counted {graph.total:,} instructions in {graph.asks:,} asks, "
        f"{counted:,} before: its parts are right to about as much"
    )
    return (Reason(code="counted-otherwise", text=text),)
