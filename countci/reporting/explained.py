"""What an explanation says, in ready words: shared by all reporters that show one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countci.model import Cause, Explanation, Hunk
from countci.reporting.clean import one_line
from countci.units import show_count, show_delta, show_share

_MOST_HUNKS = 3
_REST = 0.04
"""Of the whole difference: less is not worth a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One cause, as text."""

    delta: str
    """`+329k`."""
    share: str
    """Of the query: `+4.92 %`."""
    title: str
    where: str
    """`cJSON.c:356-376, 405-406`; empty where no line can be named."""
    words: str
    details: tuple[str, ...]


def summary(explanation: Explanation) -> str:
    """Return both sides and what lies between them: `6,694,312 → 6,942,916 instructions ...`."""
    sides = f"{round(explanation.base):,} → {round(explanation.head):,}"
    return f"{sides} {one_line(explanation.metric)} per ask"


def change(explanation: Explanation) -> str:
    """Return the difference as a fraction of base: `+3.71 %`."""
    if not explanation.base:
        return ""
    return show_share(explanation.head / explanation.base - 1)


def said(explanation: Explanation) -> list[Said]:
    """Return each cause, and what they leave when it is worth a line."""
    rows = [_said(cause) for cause in explanation.causes]
    whole = explanation.head - explanation.base
    if rows and abs(explanation.rest) > _REST * abs(whole):
        share = explanation.rest / explanation.base if explanation.base else 0.0
        rows.append(
            Said(
                delta=show_delta(explanation.rest),
                share=show_share(share),
                title="the rest",
                where="",
                words="",
                details=(),
            )
        )
    return rows


def places(hunks: Sequence[Hunk]) -> str:
    """Return where hunks lie, each file named once: `cJSON.c:356-376, 405-406`."""
    texts, file = [], None
    for hunk in hunks[:_MOST_HUNKS]:
        text = one_line(hunk.text)
        texts.append(text.removeprefix(f"{one_line(hunk.file)}:") if hunk.file == file else text)
        file = hunk.file
    more = len(hunks) - _MOST_HUNKS
    return ", ".join([*texts, *([f"and {more} more"] if more > 0 else [])])


def blamed(explanation: Explanation) -> str:
    """Return the sentence that names a hunk, with its confidence; empty when none is named."""
    blame = explanation.blame
    if blame is None:
        return ""
    at = one_line(blame.hunk.text)
    of = f" ({one_line(blame.title)})" if blame.title else ""
    removed = ", where code was removed" if blame.hunk.removed else ""
    if blame.sure:
        return f"caused by {at}{of}{removed}"
    other = f", or {one_line(blame.other.text)}" if blame.other else ""
    return f"most likely {at}{of}{removed}{other}"


def reasoned(explanation: Explanation) -> str:
    """Return the same, with why it is named, where no cause says it: `most likely ...; ...`."""
    blame, sentence = explanation.blame, blamed(explanation)
    if blame is None or blame.sure or not blame.words:
        return sentence
    return f"{sentence}; {one_line(blame.words)}"


def moved(explanation: Explanation, most: int = 40) -> list[tuple[str, str, str, str]]:
    """Return name, base, head and difference of each function, then of each line.

    Args:
        explanation: has those that moved, largest first.
        most: functions, and as many lines.
    """
    return [
        (
            one_line(each.name),
            show_count(each.base),
            show_count(each.head),
            show_delta(each.head - each.base),
        )
        for each in (*explanation.functions[:most], *explanation.lines[:most])
    ]


def _said(cause: Cause) -> Said:
    return Said(
        delta=show_delta(cause.delta),
        share=show_share(cause.share),
        title=one_line(cause.title),
        where=places(cause.hunks),
        words=one_line(cause.words),
        details=tuple(map(one_line, cause.details)),
    )
