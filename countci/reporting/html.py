"""The report as one HTML file that needs nothing else: no script, no network, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from countci.model import Report, Side, Status
from countci.reporting.clean import one_line
from countci.reporting.html_explained import explanations
from countci.reporting.html_plot import plot
from countci.reporting.html_style import STYLE
from countci.reporting.html_text import Cell, block, code, folded, items, section, table, text
from countci.reporting.plots import draw
from countci.reporting.reasons import Paragraph, notices, reasons
from countci.reporting.reporter import Look
from countci.reporting.rows import ACCEPTED, Row, looked_at, means, rows
from countci.reporting.sweeps import Sweep, sweeps
from countci.reporting.words import counter, short, tally, took, verdict
from countci.units import show_seconds

_TITLES = ("query", "metric", "base", "head", "change", "", "limit", "verdict")
_MORE_TITLES = ("interval, %", "noise, %", "pairs", "core", "start-up")
_MOST_NAMED = 3
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_Plots = Mapping[tuple[str, str], str]


class Html:
    """Renders a file for people: a page of a build server, an artifact."""

    suffix = "html"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return `report` as a page; what needs a look on top, the rest folded."""
        told = reasons(report)
        found = rows(report)
        drawn = _plots(report)
        remarks = (_remark(each) for each in told if not each.bad)
        body = [
            _head(report),
            section("Errors", "".join(_problem(each) for each in told if each.bad)),
            section("Needs a look", _rows(looked_at(found), drawn)),
            section("Sweeps", "".join(_sweep(report, each) for each in sweeps(report))),
            section("Where it comes from", explanations(report.explanations)),
            section("Good to know", items([*map(text, notices(report)), *remarks])),
            folded(_all(report), _rows([*found, *means(report)], drawn)) if found else "",
            folded("How this was measured, and how to repeat it", _measured(report)),
        ]
        return _page(text(f"countci: {report.status.value}, {verdict(report)}"), "".join(body))


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Foreign text is escaped; and if it weren't, no browser would run or load anything.
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def _head(report: Report) -> str:
    status = report.status.value
    sides = f"{_side(report.base)} → {_side(report.head)}"
    return (
        f'<header class="{status}">\n<h1><b>{status}</b>: {text(verdict(report))}</h1>\n'
        f'<p class="faint">{sides}</p>\n</header>\n'
    )


def _side(side: Side) -> str:
    revision = side.revision
    return f"{code(short(side))} {text(revision.subject)}"


def _problem(paragraph: Paragraph) -> str:
    where = f"<p>{code(paragraph.where)}</p>\n" if paragraph.where else ""
    said = f"<p>{_names(paragraph.queries)}: {text(paragraph.text)}</p>\n"
    return f"{said}{where}{block(paragraph.detail)}"


def _remark(paragraph: Paragraph) -> str:
    return f"{_names(paragraph.queries)}: {text(paragraph.text)}"


def _names(queries: Sequence[str]) -> str:
    shown = [code(name) for name in queries[:_MOST_NAMED]]
    more = len(queries) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _rows(found: Sequence[Row], drawn: _Plots) -> str:
    return table((*_TITLES, *_MORE_TITLES), [list(_cells(row, drawn)) for row in found])


def _cells(row: Row, drawn: _Plots) -> Iterator[Cell]:
    tone = row.word
    if row.status is not None and row.word != ACCEPTED:
        tone = row.status.value
    name = code(row.query) if row.word else f"<b>{text(row.query)}</b>"
    yield Cell(html=name, kind="name")
    yield Cell(html=text(row.metric))
    numbers: Iterable[str] = (row.base, row.head, row.change)
    yield from (Cell(html=text(number), kind="number") for number in numbers)
    yield Cell(html=drawn.get((row.query, row.metric), "") if row.word else "", kind=tone)
    yield Cell(html=text(row.limit), kind="number")
    improved = row.improved and row.status is Status.PASS
    kind = "improved" if improved else tone
    yield Cell(html=text("improved" if improved else row.word), kind=f"word {kind}".rstrip())
    interval = row.interval.strip("[]").replace(", ", " to ")
    numbers = (interval, row.noise, row.pairs, row.core_share, row.start_up)
    yield from (Cell(html=text(number), kind="number") for number in numbers)


def _sweep(report: Report, sweep: Sweep) -> str:
    lines = [
        [
            Cell(html=f"<b>{text(row.query)}</b>" if not row.word else text(row.query)),
            *(
                Cell(html=text(each), kind="number")
                for each in (row.base, row.head, row.change, row.speed_up, row.limit)
            ),
            Cell(html=text(row.word), kind=f"word {row.word}".rstrip()),
        ]
        for row in sweep.rows()
    ]
    titles = (text(sweep.title), "base", "head", "change", f"speed-up {sweep.formula}", "limit", "")
    title = f"<h3>{code(sweep.query)} by {text(sweep.title)}: {text(sweep.metric.name)}</h3>\n"
    return title + table(titles, lines) + draw(report, [sweep])


def _plots(report: Report) -> _Plots:
    raw = {each.query.id: each for each in report.comparisons}
    return {
        (one_line(verdict.query), one_line(change.metric)): plot(change, raw.get(verdict.query))
        for verdict in report.verdicts
        for change in verdict.changes
    }


def _all(report: Report) -> str:
    count = len(report.verdicts)
    return f"{f'All {count} queries' if count != 1 else 'The query'} ({text(tally(report))})"


def _measured(report: Report) -> str:
    known = report.problem is None
    facts = [
        _built("base", report.base, known=known),
        _built("head", report.head, known=known),
    ]
    facts += [f"counted with {text(tools)}"] if (tools := counter(report)) else []
    if any(row.pairs for row in rows(report)):
        facts.append(
            "timed in alternating pairs: the change is the median over the pairs, a dot is a pair,"
            " the thick line the interval of 95 %, the dashed lines are the limit; noise is base"
            " against itself"
        )
    facts.append(f"{text(took(report))}, by countci {text(report.countci)}")
    return items(facts) + block([report.command] if report.command else [])


def _built(name: str, side: Side, *, known: bool) -> str:
    how = "taken from the cache" if side.build_cached else "built"
    spent = f", {how} ({show_seconds(side.build_seconds)})" if side.build else ", not built"
    spent = spent if known else ""
    return f"{name} {_side(side)}, asked for as {code(side.revision.name)}{spent}"
