"""Report to rows of ready text, shared by all reporters that show a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from countci.judging.statistics import geometric_mean
from countci.model import Change, Kind, Metric, Report, Status, Verdict
from countci.reporting.clean import one_line
from countci.units import show_share, show_value

_MINUS = "\N{MINUS SIGN}"
_WORST_FIRST = [*reversed(Status), None]
_BLANK = "\N{NO-BREAK SPACE}"  # between a number and its unit
IDENTICAL = "identical"
ACCEPTED = "accepted"
MEAN = "geometric mean"
UNMEASURABLE = str(Kind.UNMEASURABLE.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of one query, or a mean; cells are text, empty where there is nothing to say."""

    query: str
    metric: str = ""
    """Empty for a query of which nothing was measured."""
    base: str = ""
    head: str = ""
    change: str = ""
    interval: str = ""
    """Ends in percent: `[−1.4, −0.8]`."""
    noise: str = ""
    pairs: str = ""
    core_share: str = ""
    limit: str = ""
    word: str = ""
    """The status, or `accepted`, `new`, `gone`, `not measurable`."""
    status: Status | None = None
    start_up: str = ""
    """How much what is around the asks changed; not judged."""
    speed_up: str = ""
    """Of a sweep: how much better head is, whichever way is better."""
    improved: bool = False
    """Moved the right way by more than its limit."""
    excess: float = 0.0
    """How far it moved the wrong way beyond its limit, as a fraction of base."""

    @property
    def values(self) -> str:
        """Both sides: `27.07M → 26.77M`, `61.2 → 61.4 ms`, `27.07M, identical`."""
        if not self.base:
            return self.head
        if self.head == IDENTICAL:
            return f"{self.base}, {IDENTICAL}"
        number, _, unit = self.base.partition(_BLANK)
        shared = bool(unit) and " " not in unit and self.head.partition(_BLANK)[2] == unit
        return f"{number if shared else self.base} → {self.head}"


def rows(report: Report) -> tuple[Row, ...]:
    """Return a row for each query and metric, in the order of the query files."""
    found: list[Row] = []
    for verdict in report.verdicts:
        if verdict.changes:
            found.extend(_row(verdict, change) for change in verdict.changes)
        else:
            word = kind_or_status(verdict, verdict.status)
            found.append(Row(query=one_line(verdict.query), word=word, status=verdict.status))
    return tuple(found)


def means(report: Report) -> tuple[Row, ...]:
    """Return for each metric the geometric mean of head / base over all judged queries."""
    ratios: dict[str, list[float]] = {}
    metrics: dict[str, Metric] = {}
    for verdict in report.verdicts:
        for change in verdict.changes:
            if verdict.kind is Kind.BOTH and change.delta is not None and change.delta > -1:
                ratios.setdefault(change.metric, []).append(1 + change.delta)
                metrics[change.metric] = change.measured
    # Rounded, so that what cancels out is 0 and not the last bit of a float.
    shares = {name: round(geometric_mean(found) - 1, 12) for name, found in ratios.items()}
    return tuple(
        Row(query=MEAN, metric=one_line(name), change=_share(metrics[name], share))
        for name, share in shares.items()
    )


def worst_first(unordered: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows by status, worst first, then by how far beyond its limit each is."""
    return tuple(sorted(unordered, key=lambda row: (_WORST_FIRST.index(row.status), -row.excess)))


def looked_at(unordered: Iterable[Row]) -> list[Row]:
    """Return the rows that a reviewer should see, worst first: all but those that just pass."""
    return [
        row
        for row in worst_first(unordered)
        if row.status is not Status.PASS or row.word == ACCEPTED
    ]


def worst(unordered: Iterable[Row], most: int = 3) -> tuple[Row, ...]:
    """Return the rows that failed, worst first, no more than `most`."""
    return tuple(row for row in worst_first(unordered) if row.status is Status.FAIL)[:most]


def is_improved(change: Change) -> bool:
    """Return whether the metric moved the right way by more than its limit."""
    if change.limit.form == "none":
        return False
    return change.status is Status.PASS and -_wrong_way(change) > change.limit.share


def is_accepted(change: Change) -> bool:
    """Return whether it passes only because a commit says that it may."""
    return any(reason.code == ACCEPTED for reason in change.reasons)


def kind_or_status(verdict: Verdict, status: Status) -> str:
    """Return the status, unless what became of the query says it better."""
    always = verdict.kind in {Kind.GONE, Kind.UNMEASURABLE}
    better = always or (verdict.kind is Kind.NEW and status is not Status.ERROR)
    return str(verdict.kind.value if better else status.value)


def _row(verdict: Verdict, change: Change) -> Row:
    new = verdict.kind is Kind.NEW and change.status is Status.PASS
    unjudged = new or change.unmeasurable
    metric = change.measured
    head = _value(metric, change.head)
    return Row(
        query=one_line(verdict.query),
        metric=one_line(change.metric),
        base=_value(metric, change.base),
        head=IDENTICAL if change.proven else head,
        change="" if change.delta is None else _share(metric, change.delta),
        interval=_interval(change.low, change.high),
        noise="" if change.noise is None else f"±{abs(change.noise) * 100:.2g}",
        pairs=str(change.pairs) if change.pairs else "",
        core_share="" if change.core_share is None else f"{change.core_share:.2f}",
        limit="" if unjudged else one_line(change.limit.text(change.measured)),
        start_up=_start_up(change.start_up_base, change.start_up_head),
        word=_word(verdict, change),
        status=None if unjudged else change.status,
        improved=not unjudged and is_improved(change),
        excess=_wrong_way(change) - change.limit.share,
    )


def _word(verdict: Verdict, change: Change) -> str:
    if change.unmeasurable:
        return UNMEASURABLE
    return ACCEPTED if is_accepted(change) else kind_or_status(verdict, change.status)


def _wrong_way(change: Change) -> float:
    delta = change.delta or 0.0
    return -delta if change.measured.better == "higher" else delta


def _value(metric: Metric, number: float | None) -> str:
    return "" if number is None else one_line(show_value(number, metric.unit))


def _share(metric: Metric, delta: float) -> str:
    # A second digit of a sampled number would claim more than the pairs can tell.
    return show_share(delta, digits=2 if metric.exact else 1)


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    ends = (f"{end * 100:+.1f}".replace("-", _MINUS) for end in (low, high))
    return f"[{', '.join(ends)}]"


def _start_up(base: float | None, head: float | None) -> str:
    # An intercept near 0 can fall below it, and then its ratio tells nothing.
    if base is None or head is None or base <= 0:
        return ""
    return show_share(head / base - 1, digits=1)
