"""The rules for limits that are no share: of two medians, of head alone, or no move at all.

They need few pairs: what a limit of `1.5x` has to tell apart is far beyond the noise of a run.

    ratio     FAIL if the ratio of the two medians, turned so that above 1 is worse, passes it, and
              head is worse in every pair; UNSETTLED if only the medians are
    amount    FAIL if head's median is worse than it, whatever base has
    constant  FAIL if the two medians differ at all
    none      never

On a restless machine the medians of six short runs of one build differed by 1.7, in both directions
among the pairs; a true 1.5 is seen in each of them.
"""

from __future__ import annotations

from countci.judging.deltas import deltas, judged_pairs
from countci.judging.rule import Decision
from countci.judging.statistics import interval
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
    if not _passed(limit, metric, medians):
        return Decision(status=Status.PASS)
    if limit.form == "ratio" and not _agree(samples, metric):
        return Decision(status=Status.UNSETTLED, code="undecided")
    return Decision(status=Status.FAIL)


def _agree(samples: Samples, metric: Metric) -> bool:
    """Whether head is worse over the whole interval of the pairs' deltas."""
    found = deltas(samples, metric)
    return found is not None and interval(found.pooled).low > 0


def _passed(limit: Limit, metric: Metric, medians: tuple[float, float]) -> bool:
    base, head = medians
    if limit.form == "none":
        return False
    if limit.form == "constant":
        return head != base
    if limit.form == "amount":
        return head > limit.amount if metric.better == "lower" else head < limit.amount
    worse, better = (head, base) if metric.better == "lower" else (base, head)
    return worse > better * (1 + limit.share)
