"""What a commit message accepts doesn't fail: one query, one metric, up to one value.

A team that makes something dearer on purpose says so where it does it, in the message of a
commit between base and head:

    Countci-Accept: bank/field instructions +2.5% because the index is rebuilt
    Countci-Accept: bank/old gone because it was renamed

- It stands for that query and that metric alone, and for base..head as a whole: of several
  lines for the same metric, the newest counts, and they don't add up.
- What failed becomes a pass when its delta, as a report prints it, is no more than the
  value; so what was read off a report and typed is enough. Beyond it the change still fails,
  and the report says what was accepted.
- What is unsettled becomes a pass when even the far end of its interval is no more than the
  value: were it to fail, it would be accepted.
- Errors are never accepted, but for a query that is gone. What was not measured stays so.
- A name that neither side has, an unknown metric and a sign that means an improvement are
  usage errors: a line that never worked must not look as if it did.
- It ends with the commit: held against a later base, the new value is the normal one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from countci.errors import UsageError
from countci.judging.verdict import status_of
from countci.model import (
    METRICS,
    Acceptance,
    Change,
    Kind,
    Metric,
    Query,
    Reason,
    Status,
    Verdict,
)
from countci.reading.spelling import did_you_mean, listed
from countci.units import show_share

_ROUNDING = 1e-9
"""Of a value in percent, on its way from text to a fraction and back."""


def accept(
    verdicts: Sequence[Verdict], acceptances: Sequence[Acceptance], queries: Sequence[Query]
) -> tuple[Verdict, ...]:
    """Return `verdicts` with what was accepted as a pass, in the same order.

    Args:
        verdicts: as they were judged.
        acceptances: parents before children, as `revisions.trailers` returns them.
        queries: all that head's or base's files have, whichever were selected.

    Raises:
        UsageError: an unknown name, or a sign that means an improvement.
    """
    known = _known(acceptances, queries)
    own = {query.id: query.own for query in queries}
    for acceptance in acceptances:
        _check(acceptance, known, METRICS | own.get(acceptance.query, {}))
    valid = {(each.query, each.metric): each for each in acceptances}
    return tuple(_verdict(verdict, valid) for verdict in verdicts)


def unused_acceptances(
    verdicts: Sequence[Verdict], acceptances: Sequence[Acceptance]
) -> tuple[Reason, ...]:
    """Return which acceptances had nothing to accept, for the notices of a report.

    Args:
        verdicts: as they were judged, before `accept`.
        acceptances: as for `accept`. Those of queries that weren't measured are left out.
    """
    by_id = {verdict.query: verdict for verdict in verdicts}
    valid = {(each.query, each.metric): each for each in acceptances}
    return tuple(
        Reason(
            code="acceptance-unused",
            text=f"commit {_short(each)} accepts {each.query} {_what(each)}, but there was "
            "nothing to accept",
        )
        for each in valid.values()
        if _is_unused(each, by_id.get(each.query))
    )


def _known(acceptances: Sequence[Acceptance], queries: Sequence[Query]) -> list[str]:
    # Between two releases a query can come and go: the line that let it go knows its name.
    gone = [each.query for each in acceptances if each.metric is None]
    return [*dict.fromkeys([*(query.id for query in queries), *gone])]


def _check(acceptance: Acceptance, known: Sequence[str], metrics: Mapping[str, Metric]) -> None:
    """Raise a UsageError for what could never take part."""
    if acceptance.query not in known:
        near = did_you_mean(acceptance.query, known)
        problem = f"accepts {acceptance.query}, and there is no such query{near}"
        raise _wrong(acceptance, problem, f"there are {listed(known)}")
    if acceptance.metric is None:
        return
    if acceptance.metric not in metrics:
        near = did_you_mean(acceptance.metric, metrics)
        problem = f"accepts {acceptance.metric}, and there is no such metric{near}"
        raise _wrong(acceptance, problem, f"there are {listed(metrics)}")
    if _wrong_way(acceptance.share, metrics[acceptance.metric]) <= 0:
        better = metrics[acceptance.metric].better
        problem = f"accepts {_what(acceptance)}, which is no change for the worse"
        sign = "+" if better == "lower" else "-"
        raise _wrong(acceptance, problem, f"{better} is better, so write a value with {sign}")


def _wrong(acceptance: Acceptance, problem: str, advice: str) -> UsageError:
    return UsageError(
        problem,
        where=f"commit {_short(acceptance)}",
        detail=f"Countci-Accept: {acceptance.line}\n{advice}",
    )


def _verdict(verdict: Verdict, valid: dict[tuple[str, str | None], Acceptance]) -> Verdict:
    if verdict.kind is Kind.GONE:
        return _gone(verdict, valid.get((verdict.query, None)))
    changes = tuple(
        _change(change, valid.get((verdict.query, change.metric))) for change in verdict.changes
    )
    if changes == verdict.changes:
        return verdict
    errs = verdict.status is Status.ERROR
    status = verdict.status if errs else status_of(changes)
    return replace(verdict, changes=changes, status=status)


def _gone(verdict: Verdict, acceptance: Acceptance | None) -> Verdict:
    if acceptance is None or verdict.problem is not None:
        return verdict
    text = f"gone, as commit {_short(acceptance)} accepts, because {acceptance.reason}"
    reason = Reason(code="accepted", text=text)
    return replace(verdict, status=Status.PASS, reasons=(*verdict.reasons, reason))


def _change(change: Change, acceptance: Acceptance | None) -> Change:
    if acceptance is None or not _fails(change):
        return change
    by = f"commit {_short(acceptance)} accepts: {_what(acceptance)}, because {acceptance.reason}"
    if _within(change, acceptance):
        reason = Reason(code="accepted", text=f"within what {by}")
        return replace(change, status=Status.PASS, reasons=(*change.reasons, reason))
    reason = Reason(code="beyond-accepted", text=f"beyond what {by}")
    return replace(change, reasons=(*change.reasons, reason))


def _fails(change: Change) -> bool:
    return change.status in {Status.FAIL, Status.UNSETTLED}


def _within(change: Change, acceptance: Acceptance) -> bool:
    metric = change.measured
    end = change.delta if change.status is Status.FAIL else _far_end(change, metric)
    if end is None:
        return False
    worse = max(_wrong_way(end, metric), 0.0)
    # Reports print two digits of what was counted, one of what was timed.
    printed = show_share(worse, digits=2 if metric.exact else 1)
    value = float(printed.removesuffix("%"))
    return value <= _wrong_way(acceptance.share, metric) * 100 + _ROUNDING


def _far_end(change: Change, metric: Metric) -> float | None:
    """Return the worst delta that the data allow; None when they allow any."""
    if not metric.exact:
        return change.high if metric.better == "lower" else change.low
    if change.delta is None or change.noise is None:
        return None
    return change.delta + (change.noise if metric.better == "lower" else -change.noise)


def _wrong_way(share: float, metric: Metric) -> float:
    return share if metric.better == "lower" else -share


def _is_unused(acceptance: Acceptance, verdict: Verdict | None) -> bool:
    if acceptance.metric is None:
        return verdict is None or verdict.kind is not Kind.GONE
    if verdict is None or verdict.status is Status.ERROR:
        return False
    return not any(
        change.metric == acceptance.metric and _fails(change) for change in verdict.changes
    )


def _short(acceptance: Acceptance) -> str:
    return acceptance.commit[:10]


def _what(acceptance: Acceptance) -> str:
    if acceptance.metric is None:
        return "gone"
    return f"{acceptance.metric} up to {show_share(acceptance.share)}"
