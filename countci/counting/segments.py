"""From a Python query's groups of asks to points on a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from countci.inside.plan import WARM, WARM_LONG, plan_for
from countci.model import Point

# Instructions a second that CPython is taken to execute. Too low a guess makes segments
# longer than they need to be; 2 million an ask is what a segment must hold at the least.
_RATE = 1e9

Pair = tuple[int, int]
"""Process ids of two snapshots, before and after."""


def segments(seconds_per_ask: float) -> tuple[int, tuple[int, int, int]]:
    """Return how many asks warm up, and how many each of the three segments holds.

    Args:
        seconds_per_ask: as a probe found it, without valgrind.
    """
    plan = plan_for(seconds_per_ask * _RATE)
    return plan.warm, plan.points


def warm_for(first: int) -> int:
    """Return how many asks warm up before segments of which the first holds so many."""
    return WARM_LONG if first == 1 else max(WARM, first)


def three(some: Sequence[int]) -> tuple[int, int, int]:
    """Return the asks of all three segments, of which all, the first, or the last two are given.

    They are powers of two apart.
    """
    first = some[0] // (2 if len(some) == 2 else 1)
    return (first, 2 * first, 4 * first)


def points(
    found: Sequence[tuple[int, Sequence[Pair]]],
    empty: Pair | None,
    total_of: Callable[[int], int],
) -> tuple[Point, ...]:
    """Return one point for each segment: its asks, and what was counted in them.

    Args:
        found: the `segments` that `inside/runner.py` or `inside/suite.py` wrote.
        empty: what they wrote beside them: a pair around nothing, whose count is
            subtracted from each pair; None where the slope cancels it.
        total_of: the count that the snapshot of a process id holds.
    """
    nothing = 0 if empty is None else total_of(empty[1]) - total_of(empty[0])
    return tuple(
        Point(n=n, total=sum(total_of(end) - total_of(start) - nothing for start, end in pairs))
        for n, pairs in found
    )
