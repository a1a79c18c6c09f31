"""Counts of one revision, judged by a baseline alone: what `countci baseline check` says."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

import countci.judging.counts as counts
import countci.judging.recorded as recorded
import countci.judging.unjudged as unjudged
import countci.judging.whole as whole
from countci.errors import UsageError
from countci.judging.recorded import RECORD
from countci.judging.verdict import worst
from countci.model import (
    Baseline,
    Change,
    Comparison,
    Fingerprint,
    Kind,
    Limit,
    Measurement,
    Metric,
    Query,
    Reason,
    Recorded,
    RecordedQuery,
    Status,
    Verdict,
)
from countci.units import show_count


def check(
    baseline: Baseline, comparisons: Sequence[Comparison], fingerprint: Fingerprint
) -> tuple[Verdict, ...]:
    """Return what the counts of each comparison's head say of the recorded ones.

    The limits are the queries' own. Queries without an exact metric have nothing to be
    checked and are left out. What isn't recorded is new; `gone` tells the opposite.

    Raises:
        UsageError: the baseline is another platform's; names the fields, and the remedy.
    """
    found = recorded.differing(baseline, fingerprint)
    if found:
        raise UsageError(
            "the baseline was recorded on another platform: its counts say nothing here",
            where=f"baseline of {baseline.sha[:10]}",
            detail="\n".join([*found, f"{RECORD} writes one for this machine; commit it"]),
        )
    checks = (_Check(baseline=baseline, comparison=comparison) for comparison in comparisons)
    return tuple(each.verdict() for each in checks if each.metrics)


def gone(baseline: Baseline, known: Collection[str]) -> tuple[Verdict, ...]:
    """Return an error for each recorded query that isn't among the ids of all queries there are."""
    text = f"gone: the baseline has it, the query files don't; {RECORD} drops it"
    return tuple(
        Verdict(
            query=query,
            kind=Kind.GONE,
            status=Status.ERROR,
            changes=(),
            reasons=(Reason(code="gone", text=text),),
        )
        for query in sorted(baseline.queries.keys() - set(known))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check:
    """One query, and what it is held against."""

    baseline: Baseline
    comparison: Comparison

    @property
    def metrics(self) -> list[Metric]:
        """The exact ones that the query asks for."""
        query = self.comparison.query
        return [metric for metric in map(query.metric, query.metrics) if metric.exact]

    def verdict(self) -> Verdict:
        """Return what became of the query since it was recorded."""
        query, head = self.comparison.query, recorded.head_of(self.comparison)
        known = self.baseline.queries.get(query.id)
        if self.comparison.problem is not None or head is None:
            text = "not counted, so there is nothing to check"
            return self._judged((), Reason(code="not-counted", text=text))
        if known is None:
            changes = [unjudged.new(metric, self._limit(metric), head) for metric in self.metrics]
            text = f"new: not in the baseline; {RECORD} adds it"
            new = self._judged(changes, Reason(code="new", text=text))
            return replace(new, kind=Kind.NEW)
        if known.digest != query.digest:
            text = (
                f"the query, or a file beside the query files, changed since commit "
                f"{self.baseline.sha[:10]} was recorded: {RECORD}"
            )
            return self._judged((), Reason(code="query-changed", text=text))
        if text := recorded.other_allocator(known, head):
            return self._judged((), Reason(code="other-allocator", text=text))
        return self._judged([_change(known, head, metric, query) for metric in self.metrics])

    def _limit(self, metric: Metric) -> Limit:
        return self.comparison.query.limit(metric)

    def _judged(self, changes: Sequence[Change], *reasons: Reason) -> Verdict:
        problem = self.comparison.problem
        return Verdict(
            query=self.comparison.query.id,
            kind=Kind.BOTH,
            status=worst(change.status for change in changes),
            changes=tuple(changes),
            problem=problem,
            reasons=() if problem else reasons,
        )


def _change(known: RecordedQuery, head: Measurement, metric: Metric, query: Query) -> Change:
    limit = query.limit(metric)
    was, counted = known.metrics.get(metric.name), head.counts.get(metric.name)
    if counted is None:
        return unjudged.missing(metric, limit, f"{metric.name} was not counted")
    if was is None:
        return unjudged.missing(metric, limit, f"{metric.name} is not in the baseline: {RECORD}")
    now = Recorded.of(counted)
    remarks = tuple(recorded.remarks(known, head, metric, query))
    if metric.whole:
        return replace(whole.held(was, now, metric, limit), reasons=remarks)
    change = replace(recorded.held(was, now, metric, limit), reasons=remarks)
    if now.per_ask <= 0:
        return _error(change, counts.no_work("this revision", counted))
    halved = recorded.exactly(now.per_ask) <= recorded.exactly(was.per_ask) * Fraction(1, 2)
    if halved and not recorded.same_work(known, head, query):
        text = (
            f"fell from {show_count(was.per_ask)} to {show_count(now.per_ask)}, and the output "
            f"does not show that the work is still done: look at it, then {RECORD}"
        )
        return _error(change, Reason(code="collapsed", text=text))
    return change


def _error(change: Change, reason: Reason) -> Change:
    return replace(change, status=Status.ERROR, reasons=(reason, *change.reasons))
