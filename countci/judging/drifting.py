"""How far a program moved since its baseline: what no single step of it shows.

Ten commits of +0.9 % each pass a limit of 1 %, and together are +9.4 %.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

import countci.judging.recorded as recorded
from countci.judging.recorded import RECORD
from countci.judging.verdict import worst
from countci.model import (
    INSTRUCTIONS,
    Baseline,
    Change,
    Comparison,
    Kind,
    Limit,
    Measurement,
    Reason,
    Recorded,
    Status,
    Verdict,
)
from countci.units import show_limit, show_share

DRIFT = "drift"
"""Name of the change that holds instructions per ask against the baseline."""
_NO_LIMIT = Limit(share=1.0)


def add_drift(
    verdicts: Sequence[Verdict],
    comparisons: Sequence[Comparison],
    baseline: Baseline,
    limit: Limit | None,
) -> tuple[Verdict, ...]:
    """Return `verdicts` with how far instructions moved since `baseline`, in the same order.

    With a limit the drift is a change of its own, which fails beyond it. Without one, and for
    a revision that adds nothing to it (what came before is not its fault), it is told only.

    Args:
        verdicts: of `comparisons`, in any order.
        comparisons: queries that base or head don't have, or that failed, have no drift.
        baseline: of this platform: `recorded.differing` tells.
        limit: None when there is none.
    """
    by_id = {each.query.id: each for each in comparisons if each.problem is None}
    return tuple(
        _with_drift(verdict, by_id[verdict.query], baseline, limit)
        if verdict.kind is Kind.BOTH and verdict.query in by_id
        else verdict
        for verdict in verdicts
    )


def _with_drift(
    verdict: Verdict, comparison: Comparison, baseline: Baseline, limit: Limit | None
) -> Verdict:
    known, head = baseline.queries.get(verdict.query), recorded.head_of(comparison)
    was = known and known.metrics.get(INSTRUCTIONS.name)
    if not known or not was or head is None or INSTRUCTIONS.name not in head.counts:
        return verdict
    if known.digest != comparison.query.digest:
        text = (
            f"the query, or a file beside the query files, changed since commit "
            f"{baseline.sha[:10]} was recorded, so its drift isn't known: {RECORD}"
        )
        return _telling(verdict, "drift-unknown", text)
    if text := recorded.other_allocator(known, head):
        return _telling(verdict, "drift-unknown", f"drift isn't known: {text}")
    now = Recorded.of(head.counts[INSTRUCTIONS.name])
    found = recorded.held(was, now, INSTRUCTIONS, limit or _NO_LIMIT)
    if limit is None or (found.status is Status.FAIL and not _adds(comparison, head)):
        return _told(verdict, found, baseline, limit)
    change = _change(found, baseline)
    failed = verdict.status is Status.ERROR
    status = verdict.status if failed else worst((verdict.status, change.status))
    return replace(verdict, changes=(*verdict.changes, change), status=status)


def _adds(comparison: Comparison, head: Measurement) -> bool:
    """Whether head itself is worse than base."""
    if comparison.base is None or INSTRUCTIONS.name not in comparison.base.counts:
        return True
    name = INSTRUCTIONS.name
    return head.counts[name].per_ask > comparison.base.counts[name].per_ask


def _change(found: Change, baseline: Baseline) -> Change:
    """Return the drift as a change. Start-up moves with the stage's path, so it isn't shown."""
    reasons: tuple[Reason, ...] = ()
    if found.status is Status.FAIL:
        text = (
            f"drifted beyond its limit since commit {baseline.sha[:10]} was recorded; where that "
            f"is meant, {RECORD} makes it the new mark"
        )
        reasons = (Reason(code="drift", text=text),)
    return replace(found, metric=DRIFT, start_up_base=None, start_up_head=None, reasons=reasons)


def _told(verdict: Verdict, found: Change, baseline: Baseline, limit: Limit | None) -> Verdict:
    assert found.delta is not None
    if limit is None and found.delta == 0:
        return verdict
    beyond = f", beyond {show_limit(limit.share)}, none of it by this change" if limit else ""
    text = (
        f"instructions {show_share(found.delta)} since commit {baseline.sha[:10]} was recorded"
        f"{beyond}"
    )
    return _telling(verdict, "drift", text)


def _telling(verdict: Verdict, code: str, text: str) -> Verdict:
    return replace(verdict, reasons=(*verdict.reasons, Reason(code=code, text=text)))
