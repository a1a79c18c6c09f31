"""Explanations as Markdown: a table row a cause, then the folded functions and lines."""

from __future__ import annotations

from collections.abc import Sequence

from countci.model import Explanation
from countci.reporting.explained import Said, change, moved, reasoned, said, summary
from countci.reporting.markdown_text import code, folded, sentence, table

_LEFT, _RIGHT = ":--", "--:"
_MOST_MOVED = 40


def explanations(found: Sequence[Explanation]) -> str:
    """Return what differences come from, one part a query; empty without any."""
    return "\n".join(map(_one, found))


def _one(explanation: Explanation) -> str:
    head = f"{code(explanation.query)} **{change(explanation)}**: {sentence(summary(explanation))}"
    blame = reasoned(explanation)
    parts = [f"{head}; {sentence(blame)}.\n" if blame else f"{head}.\n"]
    if rows := said(explanation):
        titles = [("", _RIGHT), ("of the query", _RIGHT), ("where", _LEFT), ("what", _LEFT)]
        parts.append(table(titles, map(_cells, rows)))
    if explanation.notes:
        parts.append("".join(f"- {sentence(note.text)}\n" for note in explanation.notes))
    if rest := _moved(explanation):
        parts.append(rest)
    return "\n".join(parts)


def _cells(row: Said) -> Sequence[str]:
    where = " ".join(part for part in (code(row.title), sentence(row.where)) if part)
    what = "; ".join(sentence(text) for text in (row.words, *row.details) if text)
    return row.delta, row.share, where, what


def _moved(explanation: Explanation) -> str:
    rows = moved(explanation)
    if not rows:
        return ""
    titles = [("own cost of", _LEFT), ("base", _RIGHT), ("head", _RIGHT), ("change", _RIGHT)]
    body = [(code(name), *numbers) for name, *numbers in rows[:_MOST_MOVED]]
    return folded(f"Functions and lines ({len(body)})", table(titles, body))
