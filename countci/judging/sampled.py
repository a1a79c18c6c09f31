"""A sampled metric, judged: from paired runs to a Change. Everything comes from the data alone."""

from __future__ import annotations

import math

import countci.judging.coarse as coarse
import countci.judging.remarks as remarks
import countci.judging.rule as rule
from countci.judging.deltas import Deltas, deltas, floor, judged_pairs, runs, values
from countci.judging.disturbed import disturbed
from countci.judging.rule import Decision
from countci.judging.statistics import Interval, interval, median
from countci.model import Change, Limit, Metric, Samples, Status, Wanted


def wanted(samples: Samples, limit: Limit, metric: Metric) -> Wanted | None:
    """Return which pairs are missing to judge `samples`; None when nothing more is needed.

    Pairs without the metric's number want nothing: more of them would not help.
    """
    found = deltas(samples, metric)
    if found is None:
        return None
    return _decide(samples, found, limit, metric).wanted


def judge(samples: Samples, limit: Limit, metric: Metric) -> Change:
    """Return what `samples` say; `error` when a run has no number, or there are no pairs.

    `delta` is the median of the pairs' deltas, not the ratio of the two medians `base` and
    `head`, which forgets what ran next to what. The two are told apart where they disagree.
    """
    found = deltas(samples, metric)
    if found is None or not found.pooled:
        return _unmeasured(samples, limit, metric)
    decision = _decide(samples, found, limit, metric)
    delta = median(found.shown(found.pooled))
    base, head = _medians(samples, metric)
    around = interval(found.shown(found.pooled))
    low, high = _ends(around)
    noise = floor(samples, metric)
    base_runs, head_runs = runs(samples)
    fallen = [disturbed([run.core_share for run in side]) for side in (base_runs, head_runs)]
    return Change(
        metric=metric.name,
        base=base,
        head=head,
        delta=delta,
        limit=limit,
        status=decision.status,
        low=low,
        high=high,
        noise=noise,
        pairs=len(found.pooled),
        core_share=median([run.core_share for run in base_runs + head_runs]),
        disturbed=sum(map(sum, fallen)),
        reasons=(
            *remarks.of_decision(decision, found, limit),
            *remarks.of_medians(delta, head / base - 1, (around.low, around.high), limit),
            *remarks.of_disturbed(*fallen),
            *remarks.of_invalid(samples),
            *remarks.of_clock(samples, metric),
        ),
    )


def _decide(samples: Samples, found: Deltas, limit: Limit, metric: Metric) -> Decision:
    if limit.form == "share":
        return rule.decide(found, limit.share)
    medians = _medians(samples, metric) if found.pooled else (0.0, 0.0)
    return coarse.decide(samples, limit, metric, medians)


def _unmeasured(samples: Samples, limit: Limit, metric: Metric) -> Change:
    return Change(
        metric=metric.name,
        base=None,
        head=None,
        delta=None,
        limit=limit,
        # Runs that were made and don't count are no proof of anything, and no error either.
        status=Status.UNSETTLED if samples.invalid else Status.ERROR,
        pairs=len(judged_pairs(samples)),
        reasons=tuple(remarks.of_invalid(samples)) or (remarks.unmeasured(metric),),
    )


def _medians(samples: Samples, metric: Metric) -> tuple[float, float]:
    both = [values(pair, metric, samples.n) for pair in judged_pairs(samples)]
    known = [each for each in both if each is not None]
    return median([base for base, _ in known]), median([head for _, head in known])


def _ends(found: Interval) -> tuple[float | None, float | None]:
    # Infinite ends are no numbers that a report may hold.
    if math.isinf(found.low):
        return None, None
    return found.low, found.high
