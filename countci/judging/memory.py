"""What processes hold, judged: a few runs of each side, without any clock.

Every run of head is held against every run of base: FAIL when all of them pass the limit,
unsettled when some do.

    share, ratio  more than base by more than it, and by two pages at least
    amount        head alone
    constant      head alone: the same after every number of steps (bytes: within two pages)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import countci.judging.unjudged as unjudged
from countci.judging.deltas import judged_pairs
from countci.judging.statistics import median
from countci.model import (
    Change,
    Limit,
    MemoryWork,
    Metric,
    Query,
    Reason,
    Run,
    Samples,
    Status,
    Wanted,
    held_of,
    is_slope,
    reading,
    slope,
)
from countci.units import show_value

PAIRS = 3
_PAGES = 2 * 4096
"""Bytes: where a heap ends inside a page, and where the stack does."""
_STRAIGHT = 0.1
"""Of a slope: how far one part of the line may be from it without a word."""

Read = Mapping[int, float]
"""What was read, by the number of steps."""


def wanted(samples: Samples) -> Wanted | None:
    """Return which pairs are missing; None when there are enough."""
    missing = PAIRS - len(samples.pairs)
    return Wanted(block="pairs", more=missing) if missing > 0 else None


def judge(samples: Samples, limit: Limit, metric: Metric, query: Query) -> Change:
    """Return what the runs say of one metric; `error` where a run lacks a number."""
    pairs = judged_pairs(samples)
    sides = [[_read(run, metric, query) for run in side] for side in _runs(samples)]
    if not pairs or not all(all(side) for side in sides):
        return unjudged.missing(metric, limit, f"{metric.name}: a run without it, or no runs")
    before, after = (_Side(metric, side) for side in sides)
    return Change(
        metric=metric.name,
        base=before.middle,
        head=after.middle,
        delta=_delta(before, after),
        limit=limit,
        status=_status(before, after, limit),
        noise=_noise(before, after),
        pairs=len(pairs),
        reasons=tuple(_remarks(before, after)),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    metric: Metric
    reads: Sequence[Read]

    @property
    def values(self) -> list[float]:
        return [float(slope(each)) if self.slope else each[max(each)] for each in self.reads]

    @property
    def middle(self) -> float:
        return median(self.values)

    @property
    def slope(self) -> bool:
        return is_slope(self.metric.name)

    @property
    def least(self) -> float:
        """What two sides may differ by and be the same."""
        if self.metric.unit != "bytes":
            return 0.0
        return float(_PAGES / _range(self.reads[0])) if self.slope else float(_PAGES)


def _range(read: Read) -> int:
    return max(read) - min(read)


def _runs(samples: Samples) -> tuple[list[Run], list[Run]]:
    pairs = judged_pairs(samples)
    return [pair.base for pair in pairs], [pair.head for pair in pairs]


def _read(run: Run, metric: Metric, query: Query) -> Read:
    """Return what a run read, by the number of steps; nothing if it isn't all there."""
    assert isinstance(query.work, MemoryWork)
    names = {at: reading(held_of(metric.name), at) for at in query.work.at}
    if not all(math.isfinite(run.values.get(name, math.nan)) for name in names.values()):
        return {}
    return {at: run.values[name] for at, name in names.items()}


def _status(before: _Side, after: _Side, limit: Limit) -> Status:
    if limit.form == "none":
        return Status.PASS
    if limit.form == "constant":
        said = {_grows(read, after.metric) for read in after.reads}
    elif limit.form == "amount":
        said = {value > limit.amount for value in after.values}
    else:
        said = {
            head - base > max(abs(base) * limit.share, before.least)
            for base, head in product(before.values, after.values)
        }
    if len(said) > 1:
        return Status.UNSETTLED
    return Status.FAIL if said == {True} else Status.PASS


def _grows(read: Read, metric: Metric) -> bool:
    return max(read.values()) - min(read.values()) > (_PAGES if metric.unit == "bytes" else 0)


def _delta(before: _Side, after: _Side) -> float | None:
    moved = after.middle - before.middle
    if abs(moved) <= before.least:
        return 0.0
    return moved / before.middle if before.middle > 0 else None


def _noise(before: _Side, after: _Side) -> float | None:
    if before.middle <= 0 or len(before.reads) < 2:
        return None
    sides = [side.values for side in (before, after)]
    return max(max(side) - min(side) for side in sides) / before.middle


def _remarks(before: _Side, after: _Side) -> Iterator[Reason]:
    if not after.slope and after.metric.unit == "bytes":
        return
    for name, side in (("base", before), ("head", after)):
        read = side.reads[-1]
        if not side.slope and not _grows(read, side.metric):
            continue
        steps = ", ".join(f"{at:,}" for at in read)
        numbers = ", ".join(show_value(number, side.metric.unit) for number in read.values())
        held = held_of(side.metric.name).replace("_", " ")
        text = f"{held} after {steps} steps on {name}: {numbers}"
        if side.slope and _bends(read):
            text += "; the steps in between don't lie on the line of the two ends"
        yield Reason(code="steps", text=text)


def _bends(read: Read) -> bool:
    whole, steps = slope(read), sorted(read)
    if not whole:
        return False
    parts = (
        Fraction(Fraction(read[last]) - Fraction(read[first]), last - first)
        for first, last in pairwise(steps)
        if (last - first) * abs(whole) > _PAGES / _STRAIGHT
    )
    return any(abs(part / whole - 1) > _STRAIGHT for part in parts)
