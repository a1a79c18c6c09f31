"""Rows of a profile to places that mean the same on both sides."""

from __future__ import annotations

from countci.counting import Row
from countci.explaining.attributing import Place
from countci.explaining.causes.successors import Successors
from countci.explaining.diff import Diff, LineMap
from countci.explaining.sources import Tree


class Placing:
    """Tells where a row of either side lies: a line of head, or an edit."""

    def __init__(self, diff: Diff, lines: LineMap, head: Tree, successors: Successors) -> None:
        """Prepare for the rows of both sides."""
        self._diff = diff
        self._lines = lines
        self._head = head
        self._successors = successors

    def of_base(self, row: Row) -> Place:
        """Return where a row of base lies."""
        mapped = self._lines.new(row.file, row.line)
        if mapped.edit is None:
            return Place(mapped.file, mapped.line)
        edit = self._diff.edits[mapped.edit]
        function = self._successors.of(edit, row.line)
        if function is None:
            return Place(edit.new, 0, edit.id)
        number = self._successors.edit_of(edit, row.line)
        return Place(function.file, 0, number, function.name)

    def of_head(self, row: Row) -> Place:
        """Return where a row of head lies."""
        edit = self._lines.edit_of_new(row.file, row.line)
        if edit is None:
            return Place(row.file, row.line)
        function = self._head.function_at(row.file, row.line)
        return Place(row.file, 0, edit, function.name if function else "")
