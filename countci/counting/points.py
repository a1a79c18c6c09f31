"""At how many asks a query is counted: the least work that gives its slope exactly.

Found natively on base, then the same on both sides. The first asks of a process differ from
the later ones: malloc keeps seven freed pieces of each size at hand, so a small ask repeats
exactly only from the eighth on. Counting 20 million instructions costs 0.03 s, and starting
valgrind 0.3 s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from countci.units import Seconds

_SPEED = 10_000_000_000
"""Instructions a second, natively; 7 to 17 in fact, which moves no choice that matters."""
_ENOUGH = 0.020
"""Seconds of CPU time between one ask and n: far above what starting a process varies by."""
_MOST = 4096
_WORK = 20_000_000
"""Instructions between the last two points of a small ask: warm-up and digits vanish in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Points to count, by rising n."""

    points: tuple[int, ...]
    grows: bool = False
    """A last point is added, chosen by what the first two counted."""


WHOLE = Plan(points=(1,))
"""A whole process: for a query that takes no `{n}`, or one whose ask is very long."""


def probe(run_native: Callable[[int], Seconds]) -> Plan:
    """Return the points for a query, from native runs of it.

    Args:
        run_native: runs n asks and returns the CPU time of the process.
    """
    first = run_native(1)
    n, spent = 1, 0.0
    while spent < _ENOUGH and n < _MOST:
        n *= 2
        spent = run_native(n) - first
    return choose(round(_SPEED * max(spent, 0.0) / (n - 1)))


def choose(ask: int) -> Plan:
    """Return the points for an ask of about so many instructions."""
    if ask < 1_000_000:
        return Plan(points=(10, 20), grows=True)
    if ask < 100_000_000:
        return Plan(points=(2, 4, 8))
    if ask < 500_000_000:
        return Plan(points=(1, 2, 4))
    if ask < 5_000_000_000:
        return Plan(points=(1, 2))
    return WHOLE


def last_point(plan: Plan, totals: tuple[int, int]) -> int:
    """Return the n of the last point, from the counts of the first two."""
    first, second = plan.points
    ask = max(1, (totals[1] - totals[0]) // (second - first))
    return second + min(max(-(-_WORK // ask), second), 20_000)
