"""Functions of base that head has under another name or in another file."""

from __future__ import annotations

from functools import cached_property

from countci.explaining.causes.group import SourceFunction
from countci.explaining.diff import Diff, Edit, LineMap
from countci.explaining.sources import Function, Tree, is_source


class Successors:
    """Tells to which function of head a removed line belonged."""

    def __init__(self, diff: Diff, lines: LineMap, trees: tuple[Tree, Tree]) -> None:
        """Prepare for the lines that `diff` removes."""
        self._diff = diff
        self._lines = lines
        self._base, self._head = trees
        self._known: dict[tuple[str, Function], SourceFunction] = {}

    def of(self, edit: Edit, line: int) -> SourceFunction | None:
        """Return the function of head, or that of base where head has none like it."""
        function = self._base.function_at(edit.old, line)
        if function is None:
            return None
        key = (edit.old, function)
        if key not in self._known:
            self._known[key] = self._find(edit, function)
        return self._known[key]

    def edit_of(self, edit: Edit, line: int) -> int:
        """Return the edit that a removed line belongs to: where its function is now, if it moved.

        It moved when its first line was removed by one hunk and stands in another one.
        """
        function = self._base.function_at(edit.old, line)
        left = None if function is None else self._removed.get((edit.old, function.first))
        successor = None if left is None else self.of(edit, line)
        arrived = None if successor is None else self._arrived.get(successor)
        return edit.id if arrived is None or arrived == left else arrived

    @cached_property
    def _arrived(self) -> dict[SourceFunction, int]:
        """The edits that add the first lines of functions of head."""
        return {
            SourceFunction(edit.new, function.name): edit.id
            for edit in self._diff.edits
            if edit.plus
            for function in self._head.functions(edit.new)
            if edit.new_first <= function.first <= edit.new_last
        }

    @cached_property
    def _removed(self) -> dict[tuple[str, int], int]:
        return {
            (edit.old, edit.old_first + step): edit.id
            for edit in self._diff.edits
            for step in range(len(edit.minus))
        }

    def _find(self, edit: Edit, function: Function) -> SourceFunction:
        if function.name in {each.name for each in self._head.functions(edit.new)}:
            return SourceFunction(edit.new, function.name)
        for line in range(function.first, function.last + 1):
            mapped = self._lines.new(edit.old, line)
            if mapped.edit is None:
                around = self._head.function_at(mapped.file, mapped.line)
                if around:
                    return SourceFunction(mapped.file, around.name)
        new = [each for each in self._new if each.name == function.name]
        return new[0] if len(new) == 1 else SourceFunction(edit.new, function.name)

    @cached_property
    def _new(self) -> frozenset[SourceFunction]:
        """Functions of head in files that changed, which base's files don't have."""
        files = {edit.new: edit.old for edit in self._diff.edits if is_source(edit.new)}
        return frozenset(
            SourceFunction(new, function.name)
            for new, old in files.items()
            for function in self._head.functions(new)
            if function.name not in {each.name for each in self._base.functions(old)}
        )
