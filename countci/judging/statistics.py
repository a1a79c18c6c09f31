"""The few statistics that the rules need: medians, their exact interval, geometric means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

TAIL = Fraction(1, 40)
"""How often each end of an interval may be wrong: 97.5 % sure each, 95 % both together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where a median lies."""

    low: float
    high: float

    @property
    def holds_zero(self) -> bool:
        """Whether no change at all is possible."""
        return self.low <= 0 <= self.high

    @property
    def reach(self) -> float:
        """How far from 0 the median may lie, whichever way."""
        return max(abs(self.low), abs(self.high))


def median(values: Sequence[float]) -> float:
    """Return the middle value, or the mean of the middle two; `values` isn't empty."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2


def rank(n: int) -> int:
    """Return k: a median's interval runs from the k-th smallest of n values to the k-th largest.

    k is the largest with P(B < k) <= TAIL, where B is binomial with n throws of a fair
    coin: of n independent values, B lie below the median whatever their distribution is. It is
    0 when even the outermost values aren't sure enough (n < 6 at 97.5 %).

    Source:
        Sign-test interval: Conover, Practical Nonparametric Statistics, 3.2; David and
        Nagaraja, Order Statistics, 7.1. Tables of the sign test at 5 %, two-sided, hold k - 1.
    """
    allowed = TAIL * 2**n
    below, k = 0, 0
    while (below := below + math.comb(n, k)) <= allowed:
        k += 1
    return k


def interval(values: Sequence[float]) -> Interval:
    """Return where the median of what `values` were drawn from lies; everywhere if they are few."""
    k = rank(len(values))
    if k == 0:
        return Interval(low=-math.inf, high=math.inf)
    ordered = sorted(values)
    return Interval(low=ordered[k - 1], high=ordered[-k])


def median_of_deltas(base: Sequence[float], head: Sequence[float]) -> float:
    """Return the median of head / base - 1 over pairs of values."""
    return median([after / before - 1 for before, after in zip(base, head, strict=True)])


def geometric_mean(ratios: Sequence[float]) -> float:
    """Return the n-th root of the product of `ratios`, which are above 0 and not empty."""
    return math.exp(math.fsum(math.log(ratio) for ratio in ratios) / len(ratios))


def speed_up(base: float, head: float, *, better: str) -> float:
    """Return by what share head is faster: h / b - 1 of a rate, (b - h) / b of a time."""
    return head / base - 1 if better == "higher" else (base - head) / base
