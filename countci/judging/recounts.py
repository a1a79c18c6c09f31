"""Which counts are missing before an exact metric can be judged. From the data alone.

    delta is 0: none, since equal counts can't be told to be noise
    head's smallest n once more, more than a second later: clocks have steps of a second
    base's as well, unless head's repeats and the delta passes
    they repeat, the delta is within half of the limit from it: head's smallest n at another
        hash seed; if that moves the count, both sides at seeds 1 and 2. `fixed` queries always
    they don't: a second slope of both sides; up to five of each before anything fails
    other counts than instructions: a second slope of both sides if they would fail; up to five
        of a side that differs from itself

The range of several slopes only widens with more of them, so a limit that lies inside it is
unsettled at once: no further count could change that.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, TypeAlias

import countci.judging.exact as exact
import countci.judging.whole as whole
from countci.judging.noise import Spread, repeats, slopes, spread
from countci.model import (
    INSTRUCTIONS,
    Counts,
    Limit,
    Measurement,
    Metric,
    Query,
    Recount,
    Status,
)

Side: TypeAlias = Literal["base", "head"]
_MOST = 5
"""Slopes of a side."""
_SEEDS = (1, 2)


def wanted(query: Query, base: Measurement, head: Measurement) -> tuple[Recount, ...]:
    """Return the counts that are missing to judge the exact metrics; empty when none is."""
    whole_ones = [metric for metric in map(query.metric, query.exact) if metric.whole]
    found = [each for metric in whole_ones for each in _of_whole(query, metric, base, head)]
    if INSTRUCTIONS.name in query.metrics:
        found += _of_instructions(query, base, head)
    return tuple(found)


def _of_whole(
    query: Query, metric: Metric, base: Measurement, head: Measurement
) -> Iterator[Recount]:
    """Yield a slope of each side that has too few for what they would say: that head fails."""
    if whole.judge(base, head, metric, query.limit(metric), query).status is not Status.FAIL:
        return
    sides: tuple[tuple[Side, Measurement], ...] = (("head", head), ("base", base))
    for side, measurement in sides:
        counts = measurement.counts[metric.name]
        found = slopes(counts)[0]
        if len(found) < (2 if len(set(found)) == 1 else _MOST):
            yield Recount(side=side, points=_last(counts), metric=metric.name)


def _of_instructions(query: Query, base: Measurement, head: Measurement) -> tuple[Recount, ...]:
    if not exact.comparable(base, head, query):
        return ()
    before, after = base.counts[INSTRUCTIONS.name], head.counts[INSTRUCTIONS.name]
    if before.per_ask == after.per_ask:
        return ()
    if repeats(after) is None:
        return (Recount(side="head", points=(after.points[0].n,)),)
    return _more_of_both(query, before, after)


def _more_of_both(query: Query, before: Counts, after: Counts) -> tuple[Recount, ...]:
    """Return what is missing once it is known whether head's count repeats."""
    limit = query.limit(INSTRUCTIONS)
    found = spread(before, after)
    status = exact.status(found, limit, INSTRUCTIONS)
    settled = repeats(after) and status is Status.PASS
    if repeats(before) is None and not settled:
        return (Recount(side="base", points=(before.points[0].n,)),)
    if repeats(before) is False or not repeats(after):
        return _slopes(before, after, status)
    if query.work.fixed:
        return _seeds(before, after)
    return _hash_seeds(before, after) if _near(found, limit) else ()


def _slopes(before: Counts, after: Counts, status: Status) -> tuple[Recount, ...]:
    """Return one more slope of each side that differs from itself, if it has too few to say so."""
    enough = {Status.PASS: 1, Status.UNSETTLED: 2, Status.FAIL: _MOST}[status]
    return (
        *_more("head", after, enough=enough),
        *_more("base", before, enough=enough),
    )


def _more(side: Side, counts: Counts, *, enough: int) -> tuple[Recount, ...]:
    if repeats(counts) or len(slopes(counts)[0]) >= enough:
        return ()
    return (Recount(side=side, points=_last(counts)),)


def _near(found: Spread, limit: Limit) -> bool:
    worse, share = exact.worse(found.delta, INSTRUCTIONS), exact.share(limit)
    return abs(worse - share) <= share * Fraction(1, 2)


def _hash_seeds(before: Counts, after: Counts) -> tuple[Recount, ...]:
    """Return counts at other seeds, if those can move them: a C program doesn't know of them."""
    first, seed = after.points[0], _SEEDS[0]
    known = [point for again in after.again if again.seed == seed for point in again.points]
    tried = [point.total for point in known if point.n == first.n]
    if not known:
        return (Recount(side="head", points=(first.n,), seed=seed),)
    if tried and all(total == first.total for total in tried):
        return ()
    return _seeds(before, after)


def _seeds(before: Counts, after: Counts) -> tuple[Recount, ...]:
    return (*_at_seeds("head", after), *_at_seeds("base", before))


def _at_seeds(side: Side, counts: Counts) -> tuple[Recount, ...]:
    known = slopes(counts)
    missing = (seed for seed in _SEEDS if seed not in known)
    return tuple(Recount(side=side, points=_last(counts), seed=seed) for seed in missing)


def _last(counts: Counts) -> tuple[int, ...]:
    return tuple(point.n for point in counts.points[-2:])
