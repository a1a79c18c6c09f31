"""A line of numbers drawn with characters: braille, two by four dots each, or plain ASCII."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countci.units import show_count

_EMPTY = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille character, row by row from the top, left and right.

Source: Unicode, Braille Patterns, U+2800 to U+28FF.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """How large a plot is, and by what it is drawn."""

    width: int
    """Columns, its scale included."""
    height: int
    """Lines."""
    braille: bool


def plot(numbers: Sequence[float | None], frame: Frame) -> list[str]:
    """Return a plot in lines: a level from each number to the next, gaps left empty.

    Args:
        numbers: in order; None for a gap.
        frame: its size.

    Shape:
        Nothing where nothing moves.
    """
    known = [number for number in numbers if number is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if low == high:
        return []
    labels = [show_count(high), show_count(low)]
    left = max(map(len, labels))
    across, down = (2, 4) if frame.braille else (1, 1)
    columns = (frame.width - left - 2) * across
    rows = frame.height * down
    dots = _dots(_spread(numbers, columns), (low, high), rows)
    draw = _braille if frame.braille else _plain
    lines = draw(dots, columns // across, frame.height)
    sides = [labels[0], *[""] * (frame.height - 2), labels[1]]
    bar = "┤" if frame.braille else "|"
    return [
        f"{side.rjust(left)} {bar}{line}".rstrip() for side, line in zip(sides, lines, strict=True)
    ]


def _spread(numbers: Sequence[float | None], columns: int) -> list[float | None]:
    """Return the number of each column: each commit gets as many columns, or the other way."""
    count = len(numbers)
    wide = max(1, columns // count) * count if count <= columns else columns
    return [numbers[column * count // wide] for column in range(wide)]


def _dots(
    numbers: Sequence[float | None], ends: tuple[float, float], rows: int
) -> set[tuple[int, int]]:
    """Return which dots are set, by column and row from the top; a rise is joined."""
    low, high = ends
    found: set[tuple[int, int]] = set()
    before: int | None = None
    for column, number in enumerate(numbers):
        if number is None:
            before = None
            continue
        share = (number - low) / (high - low)
        row = round((1 - share) * (rows - 1))
        start = row if before is None else before
        found |= {(column, each) for each in range(min(start, row), max(start, row) + 1)}
        before = row
    return found


def _braille(dots: set[tuple[int, int]], width: int, height: int) -> list[str]:
    cells = [[_EMPTY] * width for _ in range(height)]
    for column, row in dots:
        cells[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
    # An empty cell is a blank, which every font has, and which is cut off at a line's end.
    return ["".join(" " if bits == _EMPTY else chr(bits) for bits in line) for line in cells]


def _plain(dots: set[tuple[int, int]], width: int, height: int) -> list[str]:
    return [
        "".join("*" if (column, row) in dots else " " for column in range(width))
        for row in range(height)
    ]
