"""The rules for limits that are no share: of two medians, of head alone, or no move at all.

They need few pairs: what a limit of `1.5x` has to tell apart is far beyond the noise of a run.

    ratio     FAIL if the ratio of the two medians, turned so that above 1 is worse, passes it
    amount    FAIL if head's median is worse than it, whatever base has
    constant  FAIL if the two medians differ at all
"""

from __future__ import annotations

from countci.judging.deltas import judged_pairs
from countci.judging.rule import Decision
from countci.model import Limit, Metric, Samples, Status, Wanted

PAIRS = 6


def decide(
    samples: Samples, limit: Limit, metric: Metric, medians: tuple[float, float]
) -> Decision:
    """Return what the medians of base and head say of a limit that is no share of base."""
    missing = PAIRS - len(judged_pairs(samples))
    if missing > 0:
        wanted = Wanted(block="pairs", more=missing)
        return Decision(status=Status.UNSETTLED, code="unfinished", wanted=wanted)
    return Decision(status=Status.FAIL if _passed(limit, metric, medians) else Status.PASS)


def _passed(limit: Limit, metric: Metric, medians: tuple[float, float]) -> bool:
    base, head = medians
    if limit.form == "constant":
        return head != base
    if limit.form == "amount":
        return head > limit.amount if metric.better == "lower" else head < limit.amount
    worse, better = (head, base) if metric.better == "lower" else (base, head)
    return worse > better * (1 + limit.share)
