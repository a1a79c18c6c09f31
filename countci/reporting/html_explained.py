"""Explanations as HTML: a table row a cause, the functions and lines folded."""

from __future__ import annotations

from collections.abc import Sequence

from countci.model import Explanation
from countci.reporting.explained import Said, blamed, change, moved, said, summary
from countci.reporting.html_text import Cell, block, code, folded, items, table, text

_MOST_MOVED = 40


def explanations(found: Sequence[Explanation]) -> str:
    """Return what differences come from, an article a query; nothing without any."""
    return "".join(map(_one, found))


def _one(explanation: Explanation) -> str:
    title = f"{code(explanation.query)} {text(change(explanation))}: {text(summary(explanation))}"
    blame = blamed(explanation)
    source = explanation.blame.source if explanation.blame else ""
    parts = [
        f"<h3>{title}</h3>\n",
        f"<p><b>{text(blame)}</b></p>\n" if blame else "",
        block([source.strip()] if source.strip() else []),
        table(("", "of the query", "where", "what"), map(_cause, said(explanation))),
        items(text(note.text) for note in explanation.notes),
        _moved(explanation),
    ]
    return f"<article>\n{''.join(parts)}</article>\n"


def _cause(row: Said) -> Sequence[Cell]:
    where = " ".join(part for part in (code(row.title), text(row.where)) if part)
    what = "<br>".join(text(each) for each in (row.words, *row.details) if each)
    return (
        Cell(html=text(row.delta), kind="number"),
        Cell(html=text(row.share), kind="number"),
        Cell(html=where),
        Cell(html=what),
    )


def _moved(explanation: Explanation) -> str:
    found = moved(explanation)[:_MOST_MOVED]
    rows = [
        (Cell(html=code(name)), *(Cell(html=text(number), kind="number") for number in numbers))
        for name, *numbers in found
    ]
    title = f"Functions and lines whose own cost moved ({len(found)})"
    return folded(title, table(("own cost of", "base", "head", "change"), rows))
