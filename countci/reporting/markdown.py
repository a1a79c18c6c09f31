"""The report as GitHub's Markdown: what needs a look on top, the rest folded.

One text serves a step summary, a comment and a Buildkite annotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from countci.model import Report, Side, Status
from countci.reporting.markdown_explained import explanations
from countci.reporting.markdown_text import block, code, folded, sentence, table
from countci.reporting.reasons import Paragraph, notices, reasons
from countci.reporting.reporter import Look
from countci.reporting.rows import IDENTICAL, Row, means, rows, worst, worst_first
from countci.reporting.words import counter, tally, verdict
from countci.units import show_seconds

_MOST_ROWS = 20
_MOST_NAMED = 3
_LEFT, _RIGHT = ":--", "--:"


class Markdown:
    """Renders what a team meets on its pull request."""

    suffix = "md"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return `report`: heading, errors, rows that need a look, notices, and the folded rest."""
        found = rows(report)
        look_at = [row for row in worst_first(found) if row.status is not Status.PASS]
        said = reasons(report)
        parts = [
            f"### countci: {report.status.value}, {verdict(report)}\n",
            *(_problem(paragraph) for paragraph in said if paragraph.bad),
            _worst(look_at),
            _needs_a_look(look_at),
            explanations(report.explanations),
            _items(
                [
                    *(sentence(notice) for notice in notices(report)),
                    *(_remark(paragraph) for paragraph in said if not paragraph.bad),
                ]
            ),
            folded(_all_title(report), _whole_table([*found, *means(report)])),
            folded("How this was measured, and how to repeat it", _measured(report)),
        ]
        return "\n".join(part for part in parts if part)


def _problem(paragraph: Paragraph) -> str:
    where = f"\n{code(paragraph.where)}\n" if paragraph.where else ""
    detail = f"\n{block(paragraph.detail)}" if paragraph.detail else ""
    return f"{_names(paragraph.queries)}: {sentence(paragraph.text)}\n{where}{detail}"


def _remark(paragraph: Paragraph) -> str:
    return f"{_names(paragraph.queries)}: {sentence(paragraph.text)}"


def _worst(look_at: Sequence[Row]) -> str:
    said = [
        f"{code(row.query)} **{row.change}** {sentence(row.metric)} (limit {row.limit})"
        for row in worst(look_at)
    ]
    return f"Worst: {', '.join(said)}.\n" if said else ""


def _needs_a_look(look_at: Sequence[Row]) -> str:
    if not look_at:
        return ""
    names = ("Query", "Metric"), ("Base", "Head", "Change", "Limit")
    titles = [(name, _LEFT) for name in names[0]] + [(name, _RIGHT) for name in names[1]]
    body = [
        (code(row.query), _metric(row), row.base, row.head, _change(row), row.limit, row.word)
        for row in look_at[:_MOST_ROWS]
    ]
    left = len(look_at) - len(body)
    more = f"\n{left} more such rows are in the table below.\n" if left else ""
    return table([*titles, ("Verdict", _LEFT)], body) + more


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


def _measured(report: Report) -> str:
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
    return _items(facts) + repeat


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


def _items(texts: Iterable[str]) -> str:
    return "".join(f"- {text}\n" for text in texts)
