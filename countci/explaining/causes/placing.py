"""Rows of a profile to places that mean the same on both sides."""

from __future__ import annotations

from countci.counting import Row
from countci.explaining.attributing import Place
from countci.explaining.diff import Diff, LineMap
from countci.explaining.sources import Tree


class Placing:
    """Tells where a row of either side lies: a line of head, or an edit."""

    def __init__(self, diff: Diff, lines: LineMap, trees: tuple[Tree, Tree]) -> None:
        """Prepare for the rows of both sides."""
        self._diff = diff
        self._lines = lines
        self._base, self._head = trees

    def of_base(self, row: Row) -> Place:
        """Return where a row of base lies."""
        mapped = self._lines.new(row.file, row.line)
        if mapped.edit is None:
            return Place(mapped.file, mapped.line)
        function = self._base.function_at(row.file, row.line)
        return self._on(mapped.edit, function.name if function else "")

    def of_head(self, row: Row) -> Place:
        """Return where a row of head lies."""
        edit = self._lines.edit_of_new(row.file, row.line)
        if edit is None:
            return Place(row.file, row.line)
        function = self._head.function_at(row.file, row.line)
        return self._on(edit, function.name if function else "")

    def _on(self, number: int, name: str) -> Place:
        edit = self._diff.edits[number]
        if name not in {function.name for function in self._head.functions(edit.new)}:
            # A renamed function: what is left of it is where the edit is.
            function = self._head.function_at(edit.new, edit.new_first)
            name = function.name if function else name
        return Place(edit.new, 0, number, name)
