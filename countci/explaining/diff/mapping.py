"""Where a line of the old tree is in the new one."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from itertools import accumulate
from typing import NamedTuple

from countci.explaining.diff.moving import Line, moved
from countci.explaining.diff.parsing import Diff, Edit


class Mapped(NamedTuple):
    """A line of the old tree, in the new one."""

    file: str
    line: int
    """0 for a removed line."""
    edit: int | None = None
    """That removed it."""


class _Shifts(NamedTuple):
    """How lines of one file move: what lies after `ends[i]` moves by `sums[i + 1]`."""

    ends: list[int]
    sums: list[int]


class LineMap:
    """The way from lines of the old tree to lines of the new one, and to edits."""

    def __init__(self, diff: Diff) -> None:
        """Prepare the look-ups for `diff`."""
        self._renames = {edit.old: edit.new for edit in diff.edits} | dict(diff.renames)
        self._moved = moved(diff.edits)
        self._minus = {
            (edit.old, edit.old_first + step): edit.id
            for edit in diff.edits
            for step in range(len(edit.minus))
        }
        arrived = set(self._moved.values())
        self._plus = {
            line: edit.id
            for edit in diff.edits
            for step in range(len(edit.plus))
            if (line := (edit.new, edit.new_first + step)) not in arrived
        }
        by_file: dict[str, list[Edit]] = defaultdict(list)
        for edit in diff.edits:
            by_file[edit.old].append(edit)
        self._shifts = {file: _shifts(edits) for file, edits in by_file.items()}

    def new(self, file: str, line: int) -> Mapped:
        """Return where `line` of the old `file` is in the new tree; moved blocks are followed."""
        old: Line = (file, line)
        if old in self._moved:
            return Mapped(*self._moved[old])
        if old in self._minus:
            return Mapped(self._renames.get(file, file), 0, self._minus[old])
        shift = 0
        if line and (shifts := self._shifts.get(file)):
            shift = shifts.sums[bisect_left(shifts.ends, line)]
        return Mapped(self._renames.get(file, file), line + shift)

    def edit_of_new(self, file: str, line: int) -> int | None:
        """Return the edit that added a line; one that only moved there counts as not added."""
        return self._plus.get((file, line))


def _shifts(edits: list[Edit]) -> _Shifts:
    edits = sorted(edits, key=lambda edit: (edit.old_first, edit.id))
    ends = [edit.old_last for edit in edits]  # an insertion leaves its own line where it is
    steps = (len(edit.plus) - len(edit.minus) for edit in edits)
    return _Shifts(ends, list(accumulate(steps, initial=0)))
