"""An exact metric, judged: from two counts to a Change. Whole numbers are compared, so 0 is 0."""

from __future__ import annotations

from fractions import Fraction

import countci.judging.counts as counts
import countci.judging.unstable as unstable
from countci.judging.noise import Spread, idle_slope, spread
from countci.model import (
    INSTRUCTIONS,
    Change,
    Counts,
    Limit,
    Measurement,
    Metric,
    Query,
    Reason,
    Status,
)
from countci.units import show_count


def judge(
    base: Measurement, head: Measurement, metric: Metric, limit: Limit, query: Query
) -> Change:
    """Return what the counts of both sides say; `error` where they can't be compared.

    A delta fails when it passes the limit by more than the noise, passes when it stays within
    by more than the noise, and is unsettled between them. A count that falls to half or below
    is an improvement only when the program still prints the same, and something: otherwise it
    most likely stopped doing the work.
    """
    before, after = base.counts.get(metric.name), head.counts.get(metric.name)
    if before is None or after is None:
        text = f"{metric.name} was not counted on {'base' if before is None else 'head'}"
        return _error(metric, limit, before, after, Reason(code="not-counted", text=text))
    obstacle = _obstacle(base, head, before, after)
    if obstacle is not None:
        return _error(metric, limit, before, after, obstacle)
    found = spread(before, after)
    verdict = status(found, limit, metric)
    remarks = (
        *unstable.of_noise(found, base, head, limit, query),
        # Numbers that are measured are others in each run, and say nothing of the work.
        *(() if query.prints_measures else counts.of_output(base, head, before, after)),
        *counts.of_points(before, after),
        *counts.of_bend(before, after),
        *counts.of_processes(base, head),
    )
    if _has_collapsed(base, head, query):
        verdict, remarks = Status.ERROR, (_collapsed(before, after), *remarks)
    if query.output == "same" and counts.output_changed(base, head, before, after):
        verdict, remarks = Status.ERROR, (_must_be_same(query), *remarks)
    return Change(
        metric=metric.name,
        base=float(found.base),
        head=float(found.head),
        delta=float(found.delta),
        limit=limit,
        status=verdict,
        noise=None if found.noise is None else float(found.noise),
        start_up_base=counts.start_up(before),
        start_up_head=counts.start_up(after),
        reasons=remarks,
    )


def comparable(base: Measurement, head: Measurement, query: Query) -> bool:
    """Whether a limit decides between their instructions, so that their noise is worth knowing."""
    before, after = _instructions(base), _instructions(head)
    if before is None or after is None or _obstacle(base, head, before, after) is not None:
        return False
    return not _has_collapsed(base, head, query)


def status(found: Spread, limit: Limit, metric: Metric) -> Status:
    """Return what a delta and its noise say of a limit."""
    if limit.form == "none":
        return Status.PASS
    wrong_way, most, noise = worse(found.delta, metric), share(limit), found.noise or 0
    if wrong_way - noise > most:
        return Status.FAIL
    return Status.PASS if wrong_way + noise <= most else Status.UNSETTLED


def worse(delta: Fraction, metric: Metric) -> Fraction:
    """Return `delta` with the sign that makes above 0 worse."""
    return delta if metric.better == "lower" else -delta


def share(limit: Limit) -> Fraction:
    """Return a limit as it was typed: 3 % is meant as 3/100, which no float is."""
    return Fraction(limit.share).limit_denominator(10**9)


def differing(base: Measurement, head: Measurement, before: Counts, after: Counts) -> Reason | None:
    """Return why the two were not counted in the same way, if so."""
    if base.fingerprint != head.fingerprint:
        return Reason(
            code="fingerprint",
            text="base and head were counted on different machines or by different tools "
            f"(fingerprints {base.fingerprint} and {head.fingerprint})",
        )
    if (len(before.points) == 1) != (len(after.points) == 1):
        return Reason(
            code="not-comparable",
            text="one side was counted as a whole process, the other one per ask",
        )
    return None


def _obstacle(base: Measurement, head: Measurement, before: Counts, after: Counts) -> Reason | None:
    """Return why the two can't be compared at all, if so."""
    if found := differing(base, head, before, after):
        return found
    for name, side in (("base", before), ("head", after)):
        if side.per_ask <= 0:
            return counts.no_work(name, side)
        if (idle := idle_slope(side)) is not None:
            was, now = show_count(float(side.per_ask)), show_count(float(idle))
            return Reason(
                code="no-work",
                text=f"counted again, an ask costs {now} on {name}, where it cost {was}: it does "
                "not do the same each time",
            )
    return None


def collapsed(base: Measurement, head: Measurement, query: Query) -> Reason | None:
    """Return why head's counts are no improvement: it most likely stopped doing the work.

    Instructions tell that for all counts: a handful of system calls may be halved by one.
    """
    before, after = _instructions(base), _instructions(head)
    if before is None or after is None or not _has_collapsed(base, head, query):
        return None
    found = _collapsed(before, after)
    return Reason(code=found.code, text=f"its instructions {found.text}")


def _has_collapsed(base: Measurement, head: Measurement, query: Query) -> bool:
    # Numbers that are measured are others in each run; that they are there is seen beside.
    same = query.prints_measures or base.output.digest == head.output.digest
    if same and head.output.size:
        return False
    before, after = _instructions(base), _instructions(head)
    if before is None or after is None:
        return False
    return after.per_ask * 2 <= before.per_ask


def _instructions(side: Measurement) -> Counts | None:
    return side.counts.get(INSTRUCTIONS.name)


def _collapsed(before: Counts, after: Counts) -> Reason:
    return Reason(
        code="collapsed",
        text=f"fell from {show_count(float(before.per_ask))} to "
        f"{show_count(float(after.per_ask))}, and the output does not show that the work is "
        "still done: look at it; the same output on both sides, not empty, makes it a pass",
    )


def _must_be_same(query: Query) -> Reason:
    return Reason(
        code="output-not-same",
        text=f'the output changed, and {query.file} says `output = "same"`',
    )


def _error(
    metric: Metric, limit: Limit, before: Counts | None, after: Counts | None, reason: Reason
) -> Change:
    return Change(
        metric=metric.name,
        base=counts.per_ask(before),
        head=counts.per_ask(after),
        delta=counts.delta(before, after),
        limit=limit,
        status=Status.ERROR,
        start_up_base=counts.start_up(before),
        start_up_head=counts.start_up(after),
        reasons=(reason,),
    )
