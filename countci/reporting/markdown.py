"""The report as GitHub's Markdown: what needs a look on top, the rest folded.

One text serves a step summary, a comment and a Buildkite annotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from countci.model import Explanation, Report, Side
from countci.reporting.budget import Section, fit
from countci.reporting.frame import Frame
from countci.reporting.markdown_explained import explanations
from countci.reporting.markdown_tables import everything, needs_a_look, of_sweep, worst_of
from countci.reporting.markdown_text import block, code, folded, sentence
from countci.reporting.reasons import Paragraph, notices, reasons
from countci.reporting.reporter import Look
from countci.reporting.rows import IDENTICAL, looked_at, means, rows
from countci.reporting.sweeps import sweeps
from countci.reporting.words import counter, short, tally, took, verdict
from countci.units import show_seconds

_ALL, _MEASURED, _SWEEPS, _EXPLANATIONS, _REMARKS, _PROBLEMS, _LOOK = range(7)
"""Ranks of sections: where a page is full, the first is cut first."""
_MOST_NAMED = 3
_LONGEST = 500
"""Characters of what is never cut, though names of metrics are in it."""


class Markdown:
    """Renders what a team meets on its pull request."""

    suffix = "md"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return `report`: heading, errors, rows that need a look, notices, and the folded rest."""
        return page(report, Frame())


def page(report: Report, frame: Frame) -> str:
    """Return `report` in at most `frame.limit` bytes, cut by whole rows, then whole sections."""
    found = rows(report)
    look_at = looked_at(found)
    said = reasons(report)
    heading = f"### countci: {report.status.value}, {sentence(verdict(report)[:_LONGEST])}\n"
    sections = [
        Section(before=f"{frame.marker}\n{heading}" if frame.marker else heading),
        *(_problem(paragraph) for paragraph in said if paragraph.bad),
        Section(before=_variants(report)),
        Section(before=worst_of(look_at)),
        needs_a_look(look_at, rank=_LOOK),
        *(of_sweep(each, rank=_SWEEPS) for each in sweeps(report)),
        *(_explained(each, report, frame) for each in report.explanations),
        _items(
            [
                *(sentence(notice) for notice in notices(report)),
                *(_remark(paragraph) for paragraph in said if not paragraph.bad),
            ]
        ),
        everything(_all_title(report), [*found, *means(report)], rank=_ALL)
        if found
        else Section(before=""),
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


def _variants(report: Report) -> str:
    """Return which settings are compared; nothing where only revisions are."""
    if not (report.base.variant or report.head.variant):
        return ""
    return f"Base is {code(short(report.base))}, head is {code(short(report.head))}.\n"


def _remark(paragraph: Paragraph) -> str:
    return f"{_names(paragraph.queries)}: {sentence(paragraph.text)}"


def _all_title(report: Report) -> str:
    count = len(report.verdicts)
    return f"{f'All {count} queries' if count != 1 else 'The query'} ({tally(report)})"


def _measured(report: Report) -> Section:
    known = report.problem is None
    facts = [
        _side("base", report.base, known=known),
        _side("head", report.head, known=known),
    ]
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
        facts.append(took(report))
    repeat = f"\n{block([report.command], 'sh')}" if report.command else ""
    text = "".join(f"- {fact}\n" for fact in facts) + repeat
    title = "How this was measured, and how to repeat it"
    return Section(before=folded(title, text), rank=_MEASURED)


def _side(name: str, side: Side, *, known: bool) -> str:
    """Return what was built; without `known`, how that went isn't told."""
    revision = side.revision
    how = "taken from the cache" if side.build_cached else "built"
    spent = f", {how} ({show_seconds(side.build_seconds)})" if side.build else ", not built"
    spent = spent if known else ""
    what = f"{code(short(side))} {code(revision.subject)}"
    return f"{name} {what}, asked for as {code(revision.name)}{spent}"


def _names(queries: Sequence[str]) -> str:
    shown = [code(name) for name in queries[:_MOST_NAMED]]
    more = len(queries) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _items(texts: Iterable[str]) -> Section:
    return Section(before="", rows=tuple(f"- {text}\n" for text in texts), rank=_REMARKS)
