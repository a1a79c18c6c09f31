"""A page that must not grow beyond a number of bytes: cut by whole rows, then by whole sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

KEPT = 1_000
"""The rank of what is never cut."""
_NOTE = 160
"""Bytes: more than the longest sentence about sections that were left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a page."""

    before: str
    rows: tuple[str, ...] = ()
    """Each a whole line or more; the last ones are left out first."""
    close: str = ""
    """Right after the rows: the end of a fence."""
    after: str = ""
    rank: int = KEPT
    """What has the lowest is cut first."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join((self.before, *self.rows, self.close, self.after))


def fit(sections: Sequence[Section], *, limit: int) -> str:
    """Return the sections, a blank line between them, in at most `limit` bytes of UTF-8.

    What is left out is counted in the text. Only sections of rank KEPT may make it longer.
    """
    filled = [section for section in sections if section.text]
    excess = _size(_joined(filled)) - limit
    if excess <= 0:
        return _joined(filled)
    excess += _NOTE
    shown: list[Section | None] = list(filled)
    # Of equal rank the later one goes first.
    for at in sorted(range(len(filled)), key=lambda at: (filled[at].rank, -at)):
        section = filled[at]
        if excess <= 0 or section.rank == KEPT:
            break
        shorter = _shortened(section, _size(section.text) - excess)
        shown[at] = shorter
        excess -= _size(section.text) - (_size(shorter.text) if shorter else -1)
    kept = [section for section in shown if section is not None]
    return _joined([*kept, *_note(len(filled) - len(kept))])


def _shortened(section: Section, limit: int) -> Section | None:
    """Return the section with as many rows as fit into `limit` bytes; None without any."""
    sizes = [_size(row) for row in section.rows]
    rest = _size(section.text) - sum(sizes)
    kept = sum(sizes)
    for count in range(len(sizes) - 1, 0, -1):
        kept -= sizes[count]
        left = len(sizes) - count
        more = f"\n{left} more {'row is' if left == 1 else 'rows are'} left out here.\n"
        if rest + kept + _size(more) <= limit:
            return replace(section, rows=section.rows[:count], after=f"{more}{section.after}")
    return None


def _note(dropped: int) -> list[Section]:
    if not dropped:
        return []
    parts = "1 part of this report is" if dropped == 1 else f"{dropped} parts of this report are"
    return [Section(before=f"{parts} left out here, for want of room; result.json has all.\n")]


def _joined(sections: Sequence[Section]) -> str:
    return "\n".join(section.text for section in sections)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
