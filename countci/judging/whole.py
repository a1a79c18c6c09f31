"""Counts that may be 0: system calls, allocations, bytes. From two counts to a Change.

A move of less than one per ask is none: what a buffer or a table that grows now and then adds
to the slope is a fraction, and depends on which n are asked. So 0 → 0 passes, and 0 → 1 passes
every limit that is a share of base.

Noise is not estimated. What would fail is counted again on both sides, as whole slopes, and
every slope of base is held against every one of head: fail when all of them fail, unsettled
when some do.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import countci.judging.counts as counts
import countci.judging.exact as exact
from countci.judging.noise import slopes
from countci.judging.recorded import exactly
from countci.model import (
    ALLOCATED_BYTES,
    ALLOCATIONS,
    Change,
    Counts,
    Limit,
    Measurement,
    Metric,
    Query,
    Reason,
    Recorded,
    Status,
)


def judge(
    base: Measurement, head: Measurement, metric: Metric, limit: Limit, query: Query
) -> Change:
    """Return what the counts of both sides say; `error` where they can't be compared."""
    before, after = base.counts.get(metric.name), head.counts.get(metric.name)
    if before is None or after is None:
        text = f"{metric.name} was not counted on {'base' if before is None else 'head'}"
        return _change(metric, limit, Status.ERROR, Reason(code="not-counted", text=text))
    obstacle = (
        exact.differing(base, head, before, after)
        or exact.collapsed(base, head, query)
        or _unseen(metric, before, after)
    )
    if obstacle is not None:
        return _change(metric, limit, Status.ERROR, obstacle)
    first, second = _middle(before), _middle(after)
    return Change(
        metric=metric.name,
        base=float(first),
        head=float(second),
        delta=_delta(first, second),
        limit=limit,
        status=status(before, after, limit),
        noise=_noise(before, after),
        start_up_base=counts.start_up(before),
        start_up_head=counts.start_up(after),
        reasons=(*counts.of_points(before, after), *_remarks(first, second, metric)),
    )


def held(was: Recorded, now: Recorded, metric: Metric, limit: Limit) -> Change:
    """Return how far `now` is from what was recorded; neither has a noise."""
    first, second = exactly(was.per_ask), exactly(now.per_ask)
    return Change(
        metric=metric.name,
        base=was.per_ask,
        head=now.per_ask,
        delta=_delta(first, second),
        limit=limit,
        status=Status.FAIL if _passes(first, second, limit) else Status.PASS,
        start_up_base=was.start_up,
        start_up_head=now.start_up,
    )


def status(base: Counts, head: Counts, limit: Limit) -> Status:
    """Return what every slope of base against every one of head says of a limit."""
    said = {_passes(*pair, limit) for pair in product(_slopes(base), _slopes(head))}
    if len(said) > 1:
        return Status.UNSETTLED
    return Status.FAIL if said == {True} else Status.PASS


def moved(base: Fraction, head: Fraction) -> Fraction:
    """Return how far head is from base: less than one per ask is nothing."""
    found = head - base
    return found if abs(found) >= 1 else Fraction(0)


def _delta(base: Fraction, head: Fraction) -> float | None:
    """Return the move as a fraction of base; None from nothing to something."""
    found = moved(base, head)
    if not found:
        return 0.0
    return float(found / base) if base > 0 else None


def _passes(base: Fraction, head: Fraction, limit: Limit) -> bool:
    """Whether head is beyond the limit."""
    if limit.form == "none":
        return False
    if limit.form == "amount":
        return head > Fraction(limit.amount)
    found = moved(base, head)
    return (
        found != 0
        if limit.form == "constant"
        else found > max(base, Fraction(0)) * exact.share(limit)
    )


def _slopes(side: Counts) -> tuple[Fraction, ...]:
    return slopes(side)[0]


def _middle(side: Counts) -> Fraction:
    return statistics.median(_slopes(side))


def _noise(before: Counts, after: Counts) -> float | None:
    """Return how far from the delta lies what one slope of each side would have shown."""
    base = _middle(before)
    if base <= 0 or not (before.again or after.again):
        return None
    shown = moved(base, _middle(after))
    pairs = product(_slopes(before), _slopes(after))
    return float(max(abs(moved(*pair) - shown) for pair in pairs) / base)


def _unseen(metric: Metric, before: Counts, after: Counts) -> Reason | None:
    """Return that valgrind saw no allocation at all, which tells nothing of a program."""
    heap = metric.name in {ALLOCATIONS.name, ALLOCATED_BYTES.name}
    if not heap or any(point.total for side in (before, after) for point in side.points):
        return None
    return Reason(
        code="not-counted",
        text="no allocation was seen at all, not even at start-up: valgrind doesn't know the "
        "allocator of a program that is linked statically, or brings its own (Go); where there "
        "really is none, leave the metric out",
    )


def _remarks(base: Fraction, head: Fraction, metric: Metric) -> Iterator[Reason]:
    if base != head and not moved(base, head):
        text = f"{float(base):.3g} → {float(head):.3g} per ask: less than one is no change"
        yield Reason(code="less-than-one", text=text)
    elif base <= 0 < moved(base, head):
        yield Reason(code="none-on-base", text=f"base has no {_noun(metric)} in an ask, head has")


def _noun(metric: Metric) -> str:
    return metric.unit.removesuffix(" per ask")


def _change(metric: Metric, limit: Limit, status: Status, reason: Reason) -> Change:
    return Change(
        metric=metric.name,
        base=None,
        head=None,
        delta=None,
        limit=limit,
        status=status,
        reasons=(reason,),
    )
