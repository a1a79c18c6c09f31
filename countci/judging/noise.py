"""How far the delta of two exact counts can be trusted: from the same builds, counted again.

    slope:  of the last two points, one for each time that they were counted
    delta = median of head's slopes / median of base's slopes - 1
    noise = how far from delta lies what one slope of head and one of base would have shown

As long as only the smallest n0 was counted again, and its totals differ by R, a total at n is
taken to be off by R n / n0 at most, as if the difference lay in each ask. The slope over
n1 and n2 is then off by

    R / n0 * (n1 + n2) / (n2 - n1)

at most; too much where the difference lies around the asks, so slopes replace it before it
decides against a query. Seeds come in pairs: head is held against base at the same one. All
numbers are fractions of whole numbers, so that 0 is 0.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from countci.model import Again, Counts, Point

_LEAST = Fraction(1, 100)
"""Of a slope: a bound can't say that an ask costs nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A delta, and what is around it."""

    base: Fraction
    """Per ask: the median, if there are several."""
    head: Fraction
    noise: Fraction | None
    """As a fraction of base; None when neither side was counted again."""
    seeds: tuple[int, ...]
    """At which both sides have slopes; 0 is one of them."""

    @property
    def delta(self) -> Fraction:
        """How much more head costs, as a fraction of base."""
        return self.head / self.base - 1


@dataclass(frozen=True, slots=True)
class _Reach:
    """Where a side's slope may lie."""

    low: Fraction
    high: Fraction


def spread(base: Counts, head: Counts) -> Spread:
    """Return the delta of two counts that can be compared, and its noise."""
    before, after = slopes(base), slopes(head)
    seeds = tuple(sorted(before.keys() & after.keys()))
    middle = Spread(
        base=_median([_median(before[seed]) for seed in seeds]),
        head=_median([_median(after[seed]) for seed in seeds]),
        noise=None,
        seeds=seeds,
    )
    if not base.again and not head.again:
        return middle
    first, second = _reach(base, before[0]), _reach(head, after[0])
    seen = [second.low / first.high - 1, second.high / first.low - 1]
    if len(seeds) > 1:
        seen += [_median(after[seed]) / _median(before[seed]) - 1 for seed in seeds]
    noise = max(abs(each - middle.delta) for each in seen)
    return Spread(base=middle.base, head=middle.head, noise=noise, seeds=seeds)


def slopes(counts: Counts) -> dict[int, tuple[Fraction, ...]]:
    """Return every slope of one side by its seed; that of the points themselves is the first."""
    found = {0: [counts.per_ask]}
    for again in counts.again:
        if is_slope(again, counts):
            found.setdefault(again.seed, []).append(Counts(points=again.points).per_ask)
    return {seed: tuple(each) for seed, each in found.items()}


def idle_slope(counts: Counts) -> Fraction | None:
    """Return a slope of counting again by which an ask costs nothing; None when each costs."""
    for again in counts.again:
        *before, last = (point.total for point in again.points[-2:])
        if last - sum(before) <= 0 and is_slope(again, counts):
            return Counts(points=again.points).per_ask
    return None


def is_slope(again: Again, counts: Counts) -> bool:
    """Whether `again` gives a slope, and not only the total of the smallest n."""
    return len(again.points) == min(2, len(counts.points))


def repeats(counts: Counts) -> bool | None:
    """Whether counting again gave the same to the last digit; None when that was not tried."""
    tried = [again for again in counts.again if again.seed == 0]
    known = {point.n: point.total for point in counts.points}
    return all(_is_known(again.points, known) for again in tried) if tried else None


def _is_known(points: Sequence[Point], known: dict[int, int]) -> bool:
    return all(known.get(point.n) == point.total for point in points)


def _reach(counts: Counts, own: Sequence[Fraction]) -> _Reach:
    if len(own) > 1:
        return _Reach(min(own), max(own))
    slope, off = own[0], _bound(counts)
    return _Reach(max(slope - off, slope * _LEAST), slope + off)


def _bound(counts: Counts) -> Fraction:
    """Return by how much a slope may be off, from totals of the smallest n."""
    first = counts.points[0]
    again = [each.points[0] for each in counts.again if each.seed == 0]
    totals = [first.total, *(point.total for point in again if point.n == first.n)]
    before, last = counts.points[-2:] if len(counts.points) > 1 else (Point(n=0, total=0), first)
    difference = Fraction(max(totals) - min(totals), first.n)
    return difference * Fraction(before.n + last.n, last.n - before.n)


def _median(values: Sequence[Fraction]) -> Fraction:
    return statistics.median(values)
