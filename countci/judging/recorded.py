"""A count held against a recorded one.

A baseline is compared only on the platform that it was recorded on: all of the fingerprint
but the stage. The path of the stage moves totals and start-up by some tens of instructions,
slopes not at all; so start-up is shown and not judged. A whole process (a query without
`{n}`) has no slope: there the path is in what is judged, far below any usual limit, and the
report says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from countci.model import (
    Baseline,
    Change,
    Comparison,
    Fingerprint,
    Limit,
    Measurement,
    Metric,
    Query,
    Reason,
    Recorded,
    RecordedQuery,
    Status,
)

RECORD = "countci baseline record"
"""What to type when a baseline no longer fits."""
_PYTHONS_OWN = "pymalloc"
"""Taken where there is no compiler to make the flat one."""


def differing(baseline: Baseline, fingerprint: Fingerprint) -> tuple[str, ...]:
    """Return what keeps `baseline` from being compared here, field by field; nothing if equal."""
    here, there = fingerprint.platform, baseline.fingerprint
    return tuple(
        f"{name}: recorded with {there.get(name) or 'none'}, here it is {here.get(name) or 'none'}"
        for name in sorted(here.keys() | there.keys())
        if here.get(name) != there.get(name)
    )


def head_of(comparison: Comparison) -> Measurement | None:
    """Return head's counts; base's where head can't differ from it."""
    return comparison.base if comparison.identity is not None else comparison.head


def held(was: Recorded, now: Recorded, metric: Metric, limit: Limit) -> Change:
    """Return how far `now` is from `was`; both are rounded alike, so that no change is 0."""
    delta = exactly(now.per_ask) / exactly(was.per_ask) - 1
    worse = delta if metric.better == "lower" else -delta
    # What was typed as 3 % is meant as 3/100, which no float is.
    most = Fraction(limit.share).limit_denominator(10**9)
    fails = limit.form != "none" and worse > most
    return Change(
        metric=metric.name,
        base=was.per_ask,
        head=now.per_ask,
        delta=float(delta),
        limit=limit,
        status=Status.FAIL if fails else Status.PASS,
        start_up_base=was.start_up,
        start_up_head=now.start_up,
    )


def exactly(number: float) -> Fraction:
    """Return the four digits after the point that were recorded, which no float is."""
    return Fraction(round(Fraction(number) * 10**4), 10**4)


def same_work(known: RecordedQuery, head: Measurement, query: Query) -> bool:
    """Whether the program prints what it printed, and something."""
    same = query.prints_measures or known.output.digest == head.output.digest
    return same and head.output.size > 0


def other_allocator(known: RecordedQuery, head: Measurement) -> str:
    """Return why the allocator keeps a Python query from being compared; empty if it doesn't."""
    if known.allocator == head.allocator:
        return ""
    there, here = known.allocator or "one that the file doesn't name", head.allocator or "none"
    text = f"recorded with the allocator {there}, counted here with {here}, which moves every count"
    if here == _PYTHONS_OWN:
        return f"{text}: install a C compiler (apt-get install gcc libc6-dev), or {RECORD}"
    return f"{text}: {RECORD}"


def remarks(
    known: RecordedQuery, head: Measurement, metric: Metric, query: Query
) -> Iterator[Reason]:
    """Yield what a reader should know beside the delta."""
    was, now = known.metrics[metric.name], Recorded.of(head.counts[metric.name])
    if was.asks != now.asks:
        yield Reason(
            code="other-points",
            text=f"recorded at {_listed(was.asks)} asks, counted at {_listed(now.asks)}",
        )
    elif known.output.digest != head.output.digest and not query.prints_measures:
        yield Reason(
            code="output-changed",
            text="the output is not the recorded one: the work may not be the same",
        )
    if len(was.asks) == 1:
        yield Reason(
            code="whole-process",
            text="a whole process was counted: start-up is in it, and a few instructions more or "
            "less with the path of the stage",
        )


def _listed(asks: tuple[int, ...]) -> str:
    return ", ".join(f"{n:,}" for n in asks)
