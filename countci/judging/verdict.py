"""Comparison to Verdict: every metric of a query judged, and the worst of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

import countci.judging.exact as exact
import countci.judging.memory as memory
import countci.judging.sampled as sampled
import countci.judging.unjudged as unjudged
import countci.judging.whole as whole
from countci.judging.both import start_up, story
from countci.model import (
    INSTRUCTIONS,
    TIME,
    Change,
    Comparison,
    Kind,
    Limit,
    MemoryWork,
    Metric,
    PytestWork,
    Reason,
    Status,
    Verdict,
)

_NEW = {
    False: "new: base's query files don't have it and base can't run it",
    True: "new: base's suite doesn't have it",
}
_GONE = {
    False: "gone: base's query files have it, head's don't",
    True: "gone: base's suite has it, head's doesn't",
}


def worst(statuses: Iterable[Status]) -> Status:
    """Return the worst of `statuses`; `error` when there is none, for nothing was measured."""
    order = list(Status)
    return max(statuses, key=order.index, default=Status.ERROR)


def overall(verdicts: Iterable[Verdict]) -> Status:
    """Return the status of a report: the worst of what this machine can measure.

    `error` when that is nothing: a report that measured nothing is never green.
    """
    return worst(each.status for each in verdicts if each.kind is not Kind.UNMEASURABLE)


def status_of(changes: Sequence[Change]) -> Status:
    """Return the worst status of what is judged; `unsettled` when this machine can measure none."""
    judged = [change.status for change in changes if not change.unmeasurable]
    return Status.UNSETTLED if changes and not judged else worst(judged)


def judge(comparison: Comparison) -> Verdict:
    """Return what became of one query: every metric that it asks for is judged, or is an error."""
    changes = tuple(_changes(comparison))
    return Verdict(
        query=comparison.query.id,
        kind=_kind(comparison, changes),
        status=_status(comparison, changes),
        changes=changes,
        problem=comparison.problem,
        reasons=tuple(_reasons(comparison, changes)),
    )


def _status(comparison: Comparison, changes: Sequence[Change]) -> Status:
    if comparison.problem is not None or comparison.kind is Kind.GONE:
        return Status.ERROR
    if comparison.kind is Kind.NEW and comparison.query.metrics and not changes:
        return Status.UNSETTLED  # asks for nothing that head alone can show
    return status_of(changes)


def _kind(comparison: Comparison, changes: Sequence[Change]) -> Kind:
    none = bool(changes) and all(change.unmeasurable for change in changes)
    return Kind.UNMEASURABLE if none and comparison.problem is None else comparison.kind


def _changes(comparison: Comparison) -> Iterator[Change]:
    if comparison.kind is Kind.GONE:
        return
    for name in comparison.query.metrics:
        metric = comparison.query.metric(name)
        limit = comparison.query.limit(metric)
        # Head alone has no pairs, so a sampled metric of a new query has nothing to show.
        if comparison.kind is Kind.NEW and not metric.exact:
            continue
        change = _change(comparison, metric, limit)
        # The problem says already why a number is missing.
        if comparison.problem is None or change.head is not None or change.proven:
            yield replace(change, own=comparison.query.own.get(name))


def _change(comparison: Comparison, metric: Metric, limit: Limit) -> Change:
    if comparison.kind is Kind.NEW:
        return unjudged.new(metric, limit, comparison.head)
    if comparison.identity is not None:
        return unjudged.proven(metric, limit, comparison.base)
    if not metric.exact:
        return _sampled(comparison, metric, limit)
    return _counted(comparison, metric, limit)


def _sampled(comparison: Comparison, metric: Metric, limit: Limit) -> Change:
    if comparison.unmeasurable is not None:
        return unjudged.unmeasurable(metric, limit, comparison.unmeasurable)
    if comparison.samples is None:
        return unjudged.missing(metric, limit, f"{metric.name} was not measured")
    if isinstance(comparison.query.work, MemoryWork):
        return memory.judge(comparison.samples, limit, metric, comparison.query)
    return sampled.judge(comparison.samples, limit, metric)


def _counted(comparison: Comparison, metric: Metric, limit: Limit) -> Change:
    if comparison.base is None or comparison.head is None:
        side = "base" if comparison.base is None else "head"
        return unjudged.missing(metric, limit, f"{metric.name} was not counted on {side}")
    by = whole.judge if metric.whole else exact.judge
    return by(comparison.base, comparison.head, metric, limit, comparison.query)


def _reasons(comparison: Comparison, changes: Sequence[Change]) -> Iterator[Reason]:
    if comparison.kind is Kind.NEW:
        yield Reason(code="new", text=_NEW[_is_test(comparison)])
    if comparison.kind is Kind.GONE:
        yield Reason(code="gone", text=_GONE[_is_test(comparison)])
    if comparison.identity is not None:
        yield Reason(code="identical", text="identical: nothing that it reads differs")
    found = {change.metric: change for change in changes}
    if INSTRUCTIONS.name in found and (told := start_up(found[INSTRUCTIONS.name])):
        yield told
    if INSTRUCTIONS.name in found and TIME.name in found:
        told = story(found[INSTRUCTIONS.name], found[TIME.name])
        if told is not None:
            yield told


def _is_test(comparison: Comparison) -> bool:
    return isinstance(comparison.query.work, PytestWork) and not comparison.query.collects
