"""The rows of a profile: `LINE COUNT COUNT ...`, summed without reading them one by one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from countci.units import Instructions

_DIGITS = b"0123456789"
_LONGEST = 4000
"""Digits; Python refuses to read numbers of 4,300 and more."""


@dataclass(frozen=True, slots=True)
class Rows:
    """How the rows of one file are read."""

    events: int
    """Counts in a row."""
    column: int
    """Which of them counts instructions, from 0."""

    def total(self, body: bytes) -> Instructions | None:
        """Return the instructions in `body`; None when a row is malformed.

        What is left of `body` without its digits tells the shape of every row at once, at the
        speed of memory; that no number is missing, the count of the words tells.
        """
        count = body.count(b"\n") + 1
        row = b" " * self.events
        if body.translate(None, _DIGITS) != (row + b"\n") * (count - 1) + row:
            return None
        words = body.split()
        if len(words) != count * (1 + self.events):
            return None
        if len(body) > _LONGEST and max(map(len, words)) > _LONGEST:
            return None
        return Instructions(sum(map(int, words[1 + self.column :: 1 + self.events])))

    def by_line(self, body: bytes) -> dict[int, Instructions]:
        """Return the instructions in `body`, which is well formed, by line."""
        width = 1 + self.events
        words = body.split()
        lines: Counter[int] = Counter()
        for line, count in zip(words[::width], words[1 + self.column :: width], strict=True):
            lines[int(line)] += int(count)
        return {line: Instructions(count) for line, count in lines.items()}

    def offset_of_wrong(self, body: bytes) -> int:
        """Return where the first malformed row of `body` begins."""
        row = re.compile(rb"[0-9]{1,%d}(?: [0-9]{1,%d}){%d}" % (_LONGEST, _LONGEST, self.events))
        at = 0
        for line in body.split(b"\n"):
            if not row.fullmatch(line):
                return at
            at += len(line) + 1
        return 0
