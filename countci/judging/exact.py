"""An exact metric, judged: from two counts to a Change. Whole numbers are compared, so 0 is 0."""

from __future__ import annotations

from fractions import Fraction

from countci.judging import counts
from countci.model import Change, Counts, Limit, Measurement, Metric, Reason, Status
from countci.units import show_count


def judge(base: Measurement, head: Measurement, metric: Metric, limit: Limit) -> Change:
    """Return what the counts of both sides say; `error` where they can't be compared.

    A count that falls to half or below is an improvement only when the program still prints
    the same, and something: otherwise it most likely stopped doing the work.
    """
    before, after = base.counts.get(metric.name), head.counts.get(metric.name)
    if before is None or after is None:
        text = f"{metric.name} was not counted on {'base' if before is None else 'head'}"
        return _change(metric, limit, before, after, (Reason(code="not-counted", text=text),))
    obstacle = _obstacle(base, head, before, after)
    if obstacle is not None:
        return _change(metric, limit, before, after, (obstacle,))
    delta = after.per_ask / before.per_ask - 1
    remarks = (
        *counts.of_output(base, head, before, after),
        *counts.of_points(before, after),
        *counts.of_bend(before, after),
    )
    if delta <= -Fraction(1, 2) and not _same_work(base, head):
        remarks = (_collapsed(before, after), *remarks)
        return _change(metric, limit, before, after, remarks)
    status = _status(delta if metric.better == "lower" else -delta, limit)
    return _change(metric, limit, before, after, remarks, status=status)


def _status(worse: Fraction, limit: Limit) -> Status:
    # What was typed as 3 % is meant as 3/100, which no float is.
    share = Fraction(limit.share).limit_denominator(10**9)
    return Status.FAIL if worse > share else Status.PASS


def _obstacle(base: Measurement, head: Measurement, before: Counts, after: Counts) -> Reason | None:
    """Return why the two can't be compared at all, if so."""
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
    for name, side in (("base", before), ("head", after)):
        if side.per_ask <= 0:
            return counts.no_work(name, side)
    return None


def _same_work(base: Measurement, head: Measurement) -> bool:
    return base.output.digest == head.output.digest and head.output.size > 0


def _collapsed(before: Counts, after: Counts) -> Reason:
    return Reason(
        code="collapsed",
        text=f"fell from {show_count(float(before.per_ask))} to "
        f"{show_count(float(after.per_ask))}, and the output does not show that the work is "
        "still done: look at it; the same output on both sides, not empty, makes it a pass",
    )


def _change(  # noqa: PLR0913 - one field each
    metric: Metric,
    limit: Limit,
    before: Counts | None,
    after: Counts | None,
    reasons: tuple[Reason, ...],
    *,
    status: Status = Status.ERROR,
) -> Change:
    return Change(
        metric=metric.name,
        base=counts.per_ask(before),
        head=counts.per_ask(after),
        delta=counts.delta(before, after),
        limit=limit,
        status=status,
        start_up_base=counts.start_up(before),
        start_up_head=counts.start_up(after),
        reasons=reasons,
    )
