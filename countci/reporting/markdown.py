"""The report as GitHub's Markdown: what needs a look on top, the rest folded.

One text serves a step summary, a comment and a Buildkite annotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from countci.model import Explanation, Report, Side, Status
from countci.reporting.budget import Section, fit
from countci.reporting.frame import Frame
from countci.reporting.markdown_explained import explanations
from countci.reporting.markdown_text import block, code, folded, sentence, table
from countci.reporting.reasons import Paragraph, notices, reasons
from countci.reporting.reporter import Look
from countci.reporting.rows import IDENTICAL, Row, means, rows, worst, worst_first
from countci.reporting.words import counter, tally, verdict
from countci.units import show_seconds

_ALL, _MEASURED, _EXPLANATIONS, _REMARKS, _PROBLEMS, _LOOK = range(6)
"""Ranks of sections: where a page is full, the first is cut first."""
_MOST_ROWS = 20
_MOST_NAMED = 3
_LEFT, _RIGHT = ":--", "--:"


class Markdown:
    """Renders what a team meets on its pull request."""

    suffix = "md"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return `report`: heading, errors, rows that need a look, notices, and the folded rest."""
        return page(report, Frame())


def page(report: Report, frame: Frame) -> str:
    """Return `report` in at most `frame.limit` bytes, cut by whole rows, then whole sections."""
    found = rows(report)
    look_at = [row for row in worst_first(found) if row.status is not Status.PASS]
    said = reasons(report)
    heading = f"### countci: {report.status.value}, {verdict(report)}\n"
    sections = [
        Section(before=f"{frame.marker}\n{heading}" if frame.marker else heading),
        *(_problem(paragraph) for paragraph in said if paragraph.bad),
        Section(before=_worst(look_at)),
        _needs_a_look(look_at),
        *(_explained(each, report, frame) for each in report.explanations),
        _items(
            [
                *(sentence(notice) for notice in notices(report)),
                *(_remark(paragraph) for paragraph in said if not paragraph.bad),
            ]
        ),
        _folded(_all_title(report), _whole_table([*found, *means(report)])),
        _measured(report),
        Section(before=frame.footer(head=report.head.revision.sha)),
    ]
    return fit(sections, limit=frame.limit)


def _problem(paragraph: Paragraph) -> Section:
    where = f"\n{code(paragraph.where)}\n" if paragraph.where else ""
    text = f"{_names(paragraph.queries)}: {sentence(paragraph.text)}\n{where}"
    if not paragraph.detail:
        return Section(before=text, rank=_PROBLEMS)
    first, *lines, last = block(paragraph.detail).splitlines(keepends=True)
    return Section(before=f"{text}\n{first}", rows=tuple(lines), close=last, rank=_PROBLEMS)


def _explained(explanation: Explanation, report: Report, frame: Frame) -> Section:
    text = explanations([explanation])
    hunks = [explanation.blame.hunk] if explanation.blame else []
    links = [frame.lines(hunk, head=report.head.revision.sha) for hunk in hunks]
    linked = "".join(f"\nSee {link}.\n" for link in links if link)
    return Section(before=text, after=linked, rank=_EXPLANATIONS)


def _remark(paragraph: Paragraph) -> str:
    return f"{_names(paragraph.queries)}: {sentence(paragraph.text)}"


def _worst(look_at: Sequence[Row]) -> str:
    said = [
        f"{code(row.query)} **{row.change}** {sentence(row.metric)} (limit {row.limit})"
        for row in worst(look_at)
    ]
    return f"Worst: {', '.join(said)}.\n" if said else ""


def _needs_a_look(look_at: Sequence[Row]) -> Section:
    if not look_at:
        return Section(before="")
    names = ("Query", "Metric"), ("Base", "Head", "Change", "Limit")
    titles = [(name, _LEFT) for name in names[0]] + [(name, _RIGHT) for name in names[1]]
    body = [
        (code(row.query), _metric(row), row.base, row.head, _change(row), row.limit, row.word)
        for row in look_at[:_MOST_ROWS]
    ]
    left = len(look_at) - len(body)
    more = f"\n{left} more such rows are in the table below.\n" if left else ""
    lines = table([*titles, ("Verdict", _LEFT)], body)
    return replace(_rows(lines, rank=_LOOK), after=more)


def _whole_table(found: Iterable[Row]) -> str:
    left = ("Query", "Metric")
    right = (
        "Base",
        "Head",
        "Change",
        "Start-up",
        "Interval",
        "Noise",
        "Pairs",
        "Core share",
        "Limit",
    )
    titles = [(name, _LEFT) for name in left] + [(name, _RIGHT) for name in right]
    body = [
        (
            code(row.query) if row.word else f"**{row.query}**",
            _metric(row),
            row.base,
            row.head,
            row.change,
            row.start_up,
            _interval(row),
            row.noise,
            row.pairs,
            row.core_share,
            row.limit,
            row.word,
        )
        for row in found
    ]
    return table([*titles, ("Verdict", _LEFT)], body)


def _metric(row: Row) -> str:
    return sentence(row.metric)


def _interval(row: Row) -> str:
    # Square brackets could be taken for a link together with what follows.
    return row.interval.strip("[]").replace(", ", " to ")


def _change(row: Row) -> str:
    return f"{row.change} ({_interval(row)})" if row.interval else row.change


def _all_title(report: Report) -> str:
    count = len(report.verdicts)
    return f"{f'All {count} queries' if count != 1 else 'The query'} ({tally(report)})"


def _measured(report: Report) -> Section:
    facts = [_side("base", report.base), _side("head", report.head)]
    if tools := counter(report):
        facts.append(f"counted with {sentence(tools)}")
    if any(row.pairs for row in rows(report)):
        facts.append(
            "timed in alternating pairs; change: median over the pairs, interval of 95 % and noise"
            " (base against itself) in percent"
        )
    if any(row.head == IDENTICAL for row in rows(report)):
        facts.append("identical: nothing that the query reads differs, so nothing was measured")
    if report.seconds:
        facts.append(f"{show_seconds(report.seconds)} in all")
    repeat = f"\n{block([report.command], 'sh')}" if report.command else ""
    text = "".join(f"- {fact}\n" for fact in facts) + repeat
    title = "How this was measured, and how to repeat it"
    return Section(before=folded(title, text), rank=_MEASURED)


def _side(name: str, side: Side) -> str:
    revision = side.revision
    known = "taken from the cache" if side.build_cached else "built"
    spent = f", {known} ({show_seconds(side.build_seconds)})" if side.build else ", not built"
    what = f"{code(revision.sha[:7])} {code(revision.subject)}"
    return f"{name} {what}, asked for as {code(revision.name)}{spent}"


def _names(queries: Sequence[str]) -> str:
    shown = [code(name) for name in queries[:_MOST_NAMED]]
    more = len(queries) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _items(texts: Iterable[str]) -> Section:
    return Section(before="", rows=tuple(f"- {text}\n" for text in texts), rank=_REMARKS)


def _folded(title: str, lines: str) -> Section:
    """Return a table that is folded until somebody clicks on its title."""
    whole = _rows(lines, rank=_ALL)
    start, _, end = folded(title, "\0").partition("\0")
    return replace(whole, before=start + whole.before, after=end)


def _rows(lines: str, *, rank: int) -> Section:
    """Return a table whose rows may be cut, but not its titles."""
    titles, alignment, *body = lines.splitlines(keepends=True)
    return Section(before=titles + alignment, rows=tuple(body), rank=rank)
