"""Text in columns of a terminal: measured in cells, since some characters fill two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells, set_cell_size

GAP = "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a line in one style, which is the name of a rich style or empty."""

    text: str
    style: str = ""


Line = tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table."""

    title: str
    cells: tuple[Part, ...]
    right: bool = False
    """Numbers line up at their right ends."""

    @property
    def width(self) -> int:
        """Cells of the widest entry; 0 when there is nothing in it."""
        widest = max((cell_len(cell.text) for cell in self.cells), default=0)
        return max(widest, cell_len(self.title)) if widest else 0


def table(columns: Sequence[Column], *, width: int) -> list[Line]:
    """Return the columns side by side, under their titles; empty ones are left out.

    Only the first column gives way when `width` is too small: its entries are cut in the
    middle, to no less than eight cells. Numbers are never cut.
    """
    name, *others = [column for column in columns if column.width]
    taken = sum(column.width + len(GAP) for column in others)
    room = min(name.width, max(8, width - taken))
    titles = [_fit(name.title, room)] + [
        _pad(column.title, column.width, right=column.right) for column in others
    ]
    lines: list[Line] = [(Part(text=GAP.join(titles), style="dim"),)]
    for number, first in enumerate(name.cells):
        line = [Part(text=_fit(first.text, room), style=first.style)]
        for column in others:
            cell = column.cells[number]
            text = GAP + _pad(cell.text, column.width, right=column.right)
            line.append(Part(text=text, style=cell.style))
        lines.append(tuple(line))
    return lines


def width_of(columns: Sequence[Column]) -> int:
    """Return the cells that the whole table fills when nothing is cut."""
    filled = [column.width for column in columns if column.width]
    return sum(filled) + len(GAP) * (len(filled) - 1)


def cut(text: str, width: int) -> str:
    """Return `text` in at most `width` cells, its middle left out: `bank/per_…_of_year`."""
    if cell_len(text) <= width:
        return text
    tail = (width - 1) // 2
    head = set_cell_size(text, width - 1 - tail).rstrip()
    end = text[-tail:] if tail else ""
    while cell_len(end) > tail:
        end = end[1:]
    return f"{head}…{end}"


def wrap(text: str, width: int, *, first: str = "", later: str = "") -> list[str]:
    """Return `text` in lines of at most `width` cells, behind `first`, then behind `later`.

    Broken at blanks, never at the one between a number and its unit; a word that is too
    long for a line goes on in the next one.
    """
    lines: list[str] = []
    line = first
    blank = ""
    for word in text.split(" "):
        joined = line + blank + word
        blank = " "
        if cell_len(joined) <= width:
            line = joined
            continue
        if line not in (first, later):
            lines.append(line)
            line = later
        *full, rest = chop_cells(word, max(1, width - len(first) - len(later))) or [""]
        for piece in full:
            lines.append(line + piece)
            line = later
        line += rest
    return [*lines, line]


def _fit(text: str, width: int) -> str:
    return _pad(cut(text, width), width, right=False)


def _pad(text: str, width: int, *, right: bool) -> str:
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks
