"""A limit that head loosened: what base's would have said, for whoever reviews the change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from countci.judging.verdict import judge
from countci.model import Change, Comparison, Loosened, Reason, Status, Verdict
from countci.units import show_share

LOOSENED = "limit-loosened"
"""Code of what is said of it."""
_WORDS = {
    Status.PASS: "a pass",
    Status.UNSETTLED: "unsettled",
    Status.FAIL: "a failure",
    Status.ERROR: "an error",
}


def mark_loosened(
    verdicts: Sequence[Verdict],
    comparisons: Sequence[Comparison],
    loosened: Sequence[Loosened],
) -> tuple[Verdict, ...]:
    """Return `verdicts`, each change under a loosened limit with what base's makes of it.

    Args:
        verdicts: as they were judged.
        comparisons: of the same queries, in the same order.
        loosened: limits of queries, or of the suites whose tests are among them.
    """
    return tuple(
        _marked(verdict, comparison, [each for each in loosened if _holds(each, verdict)])
        for verdict, comparison in zip(verdicts, comparisons, strict=True)
    )


def loosened_notices(
    verdicts: Sequence[Verdict], loosened: Sequence[Loosened]
) -> tuple[Reason, ...]:
    """Return a notice of each loosened limit: what base's would have said, where it is known."""
    return tuple(
        Reason(
            code=LOOSENED,
            text="; ".join([each.text, *_said([v for v in verdicts if _holds(each, v)], each)]),
        )
        for each in loosened
    )


def _holds(loosened: Loosened, verdict: Verdict) -> bool:
    return verdict.query == loosened.query or verdict.query.startswith(f"{loosened.query}/")


def _marked(verdict: Verdict, comparison: Comparison, limits: Sequence[Loosened]) -> Verdict:
    if not limits:
        return verdict
    strict = {each.metric: each.base for each in limits}
    query = replace(comparison.query, limits={**comparison.query.limits, **strict})
    as_before = judge(replace(comparison, query=query))
    status = {change.metric: change.status for change in as_before.changes}
    changes = tuple(
        _with_reason(change, status[change.metric]) if change.metric in strict else change
        for change in verdict.changes
    )
    return replace(verdict, changes=changes)


def _with_reason(change: Change, status: Status) -> Change:
    delta = "what was found" if change.delta is None else _share(change)
    text = f"held against base's limit, {delta} is {_WORDS[status]}"
    return replace(change, reasons=(*change.reasons, Reason(code=LOOSENED, text=text)))


def _said(verdicts: Sequence[Verdict], loosened: Loosened) -> Iterator[str]:
    """Yield what base's limit makes of the query, or of how many tests of a suite."""
    texts = [
        reason.text
        for verdict in verdicts
        for change in verdict.changes
        for reason in change.reasons
        if change.metric == loosened.metric and reason.code == LOOSENED
    ]
    if len(verdicts) == 1:
        yield from texts
    elif texts:
        failing = sum(text.endswith(_WORDS[Status.FAIL]) for text in texts)
        yield f"held against base's limit, {failing} of {len(texts)} tests fail"


def _share(change: Change) -> str:
    assert change.delta is not None
    return show_share(change.delta, digits=2 if change.measured.exact else 1)
