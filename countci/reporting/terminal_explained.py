"""Explanations at a terminal: a block each, under the tables."""

from __future__ import annotations

from collections.abc import Sequence

from countci.model import Explanation
from countci.reporting.clean import one_line
from countci.reporting.explained import Said, change, moved, reasoned, said, summary
from countci.reporting.layout import Column, Line, Part, cut, table, wrap

_INDENT = " " * 4
_TEXT = " " * 6
_MOST_MOVED = 6
"""Functions, and as many lines."""


def explanations(found: Sequence[Explanation], width: int, *, alone: bool = False) -> list[Line]:
    """Return the section that says where differences come from; nothing without any.

    Args:
        found: the explanations.
        width: columns.
        alone: one query was asked for, so that there is room for functions and lines.
    """
    if not found:
        return []
    lines: list[Line] = [(), (Part(text="Where it comes from", style="bold"),)]
    for explanation in found:
        lines += _one(explanation, width)
        lines += _details(explanation, width) if alone else []
    return lines


def _details(explanation: Explanation, width: int) -> list[Line]:
    """Return the functions and lines whose own cost moved most, as a table."""
    rows = moved(explanation, most=_MOST_MOVED)
    if not rows:
        return []
    titles = ("own cost of", "base", "head", "change")
    columns = [
        Column(
            title=title, cells=tuple(Part(text=cell) for cell in cells), right=title != titles[0]
        )
        for title, cells in zip(titles, zip(*rows, strict=True), strict=True)
    ]
    return [
        (),
        *((Part(text=_INDENT), *line) for line in table(columns, width=width - len(_INDENT))),
    ]


def _one(explanation: Explanation, width: int) -> list[Line]:
    head = f"  {one_line(explanation.query)}: {summary(explanation)}, {change(explanation)}"
    first, *rest = wrap(head, width, later=_INDENT)
    name = len(f"  {one_line(explanation.query)}")
    lines: list[Line] = [(Part(text=first[:name], style="bold"), Part(text=first[name:]))]
    lines += _plain(rest)
    rows = said(explanation)
    delta = max((len(row.delta) for row in rows), default=0)
    share = max((len(row.share) for row in rows), default=0)
    for row in rows:
        lines += _cause(row, f"{_INDENT}{row.delta:>{delta}}  {row.share:>{share}}  ", width)
    if sentence := reasoned(explanation):
        lines += _plain(wrap(sentence, width, first=_INDENT, later=_TEXT), "bold")
        if explanation.blame and explanation.blame.source:
            source = cut(one_line(explanation.blame.source.strip()), width - 8)
            lines.append((Part(text=f"{_TEXT}| {source}", style="dim"),))
    for note in explanation.notes:
        lines += _plain(wrap(one_line(note.text), width, first=f"{_INDENT}! ", later=_TEXT), "dim")
    return lines


def _cause(row: Said, start: str, width: int) -> list[Line]:
    title = "  ".join(part for part in (row.title, row.where) if part)
    lines = _plain(wrap(title, width, first=start, later=" " * len(start)))
    for text in (row.words, *row.details):
        if text:
            lines += _plain(
                wrap(text, width, first=" " * len(start), later=" " * len(start)), "dim"
            )
    return lines


def _plain(texts: Sequence[str], style: str = "") -> list[Line]:
    return [(Part(text=text, style=style),) for text in texts]
