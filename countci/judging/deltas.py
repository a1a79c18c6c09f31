"""Samples to the numbers that are judged: values per ask, and one delta a pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from countci.judging.statistics import median, median_of_deltas
from countci.model import PEAK_MEMORY, TIME, Metric, Pair, Run, Samples

Values = tuple[float, float]
"""Of base and of head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deltas:
    """head / base - 1 of every pair, above 0 where head is worse, whichever way is better."""

    pairs: tuple[float, ...]
    confirming: tuple[float, ...]
    control: tuple[float, ...]
    better: str = "lower"

    @property
    def pooled(self) -> tuple[float, ...]:
        """All pairs of base and head."""
        return self.pairs + self.confirming

    def shown(self, block: Sequence[float]) -> tuple[float, ...]:
        """Return `block` with the signs that people expect: above 0 is more."""
        return tuple(each if self.better == "lower" else -each for each in block)


def judged_pairs(samples: Samples) -> tuple[Pair, ...]:
    """Return all pairs of base and head, in time order."""
    return samples.pairs + samples.confirming


def runs(samples: Samples) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Return the runs of base and those of head, in time order, without the null control."""
    pairs = judged_pairs(samples)
    return tuple(pair.base for pair in pairs), tuple(pair.head for pair in pairs)


def values(pair: Pair, metric: Metric, n: int) -> Values | None:
    """Return what base and head have per ask; None where one is no number, or base's isn't > 0."""
    if metric.name == TIME.name:
        both = pair.times[0] / n, pair.times[1] / n
    elif metric.name == PEAK_MEMORY.name:
        both = float(pair.base.peak_memory), float(pair.head.peak_memory)
    elif metric.name in pair.base.values and metric.name in pair.head.values:
        both = pair.base.values[metric.name], pair.head.values[metric.name]
    else:
        return None
    usable = all(math.isfinite(value) for value in both) and both[0] > 0
    return both if usable else None


def deltas(samples: Samples, metric: Metric) -> Deltas | None:
    """Return the deltas of all pairs, or None when one of them has none."""
    blocks = [
        _worse(block, metric, samples.n)
        for block in (samples.pairs, samples.confirming, samples.control)
    ]
    pairs, confirming, control = blocks
    if pairs is None or confirming is None or control is None:
        return None
    return Deltas(pairs=pairs, confirming=confirming, control=control, better=metric.better)


def floor(samples: Samples, metric: Metric) -> float | None:
    """Return how far the same build is from itself: the median of its deltas, without its sign.

    The null control's pairs where it was run. Otherwise what costs nothing: a block of two
    pairs runs each build twice. None when there is neither.
    """
    if samples.control:
        found = _worse(samples.control, metric, samples.n)
        return abs(median(found)) if found else None
    both = [values(pair, metric, samples.n) for pair in judged_pairs(samples)]
    known = [each for each in both if each is not None]
    if len(known) < max(len(both), 2):
        return None
    first, second = known[0::2][: len(known) // 2], known[1::2]
    earlier = [value for each in first for value in each]
    later = [value for each in second for value in each]
    return abs(median_of_deltas(earlier, later)) if all(earlier) else None


def _worse(block: Sequence[Pair], metric: Metric, n: int) -> tuple[float, ...] | None:
    sign = 1 if metric.better == "lower" else -1
    found = []
    for pair in block:
        both = values(pair, metric, n)
        if both is None:
            return None
        found.append(sign * (both[1] / both[0] - 1))
    return tuple(found)
