"""The tables of the terminal: one a metric, and one a sweep, geometric means in the last row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from countci.model import Report, Status
from countci.reporting.layout import GAP, Column, Line, Part, table, width_of
from countci.reporting.rows import ACCEPTED, Row, means, rows
from countci.reporting.sweeps import sweeps, without
from countci.reporting.words import heading

STYLES = {
    Status.PASS: "green",
    Status.UNSETTLED: "yellow",
    Status.FAIL: "bold red",
    Status.ERROR: "bold red",
}

_SPARE = ("noise", "start-up")
"""Columns that go, in this order, where names would have to be cut; they judge nothing."""


def tables(report: Report, *, width: int) -> list[Line]:
    """Return a table for each metric and each sweep, a blank line before each."""
    plain = without(report)
    found = rows(plain)
    mean = {row.metric: row for row in means(plain)}
    metrics = dict.fromkeys(row.metric for row in found if row.metric)
    lines: list[Line] = []
    for metric in metrics:
        of_metric = [row for row in found if row.metric == metric]
        if metric in mean:
            of_metric.append(mean[metric])
        lines += [(), *_table(heading(metric), of_metric, width=width)]
    for sweep in sweeps(report):
        title = f"{sweep.query} by {sweep.title}: {heading(sweep.metric.name)}"
        table_ = _table(title, sweep.rows(), width=width, first=sweep.title)
        remark = f"  speed-up {sweep.formula}, a is base and b is head"
        lines += [(), *table_, (Part(text=remark, style="dim"),)]
    return lines


def _table(title: str, of_metric: Sequence[Row], *, width: int, first: str = "query") -> list[Line]:
    limits = Counter(row.limit for row in of_metric if row.limit)
    usual = limits.most_common(1)[0][0] if limits else ""
    columns = _columns(of_metric, limit=usual, first=first)
    for spare in _SPARE:
        if width_of(columns) > width - len(GAP):
            columns = [column for column in columns if column.title != spare]
    body = _indented(table(columns, width=width - len(GAP)))
    return [_title(title, f"limit {usual}" if usual else ""), *body]


def _columns(of_metric: Sequence[Row], *, limit: str, first: str) -> list[Column]:
    def column(title: str, text: Callable[[Row], str], *, right: bool = True) -> Column:
        cells = tuple(Part(text=text(row)) for row in of_metric)
        return Column(title=title, cells=cells, right=right)

    changes = tuple(Part(text=row.change, style=_style(row)) for row in of_metric)
    verdicts = tuple(Part(text=row.word, style=_style(row)) for row in of_metric)
    return [
        column(first, lambda row: row.query, right=False),
        column("base → head", lambda row: row.values),
        Column(title="change", cells=changes, right=True),
        column("speed-up", lambda row: row.speed_up),
        column("start-up", lambda row: row.start_up),
        column("interval", lambda row: row.interval),
        column("noise", lambda row: row.noise),
        column("pairs", lambda row: row.pairs),
        column("core", lambda row: row.core_share),
        column("limit", lambda row: row.limit if row.limit != limit else ""),
        Column(title="", cells=verdicts),
    ]


def _style(row: Row) -> str:
    if row.word == ACCEPTED:
        return STYLES[Status.UNSETTLED]
    if row.status is None or row.status is Status.PASS:
        return STYLES[Status.PASS] if row.improved else ""
    return STYLES[row.status]


def _title(text: str, remark: str) -> Line:
    return (Part(text=text, style="bold"), *([Part(text=f", {remark}")] if remark else []))


def _indented(lines: Sequence[Line]) -> list[Line]:
    return [(Part(text=GAP), *line) for line in lines]
