"""Which edits of the diff lie in a function, and how much of what moved ran on their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from countci.counting import Function
from countci.explaining.diff import Diff, Edit
from countci.explaining.python.flow import Flow
from countci.explaining.python.outline import Outline, inside, outline
from countci.explaining.python.pairing import Pair
from countci.model import Hunk

_LONG = 20
"""Lines: of a longer edit only those that ran are named."""


class Edits:
    """The edits of Python files that could move something."""

    def __init__(self, diff: Diff, flow: Flow, source: Callable[[str], str | None]) -> None:
        """Read head's files that changed, and put what ran beside their lines."""
        self.others = sorted({each.new for each in diff.edits if not _is_python(each)})
        """Files that changed and are no Python."""
        edits = [each for each in diff.edits if _is_python(each)]
        self._outlines = {file: outline(source(file)) for file in {each.new for each in edits}}
        self._edits = [each for each in edits if not self._inert(each)]
        self._ran = (_by_line(flow, 0), _by_line(flow, 1))

    def within(self, pair: Pair) -> list[Edit]:
        """Return the edits in a function: those first on whose lines most moved."""
        cells = _new_cells(pair)
        found = [each for each in self._edits if _touches(each, pair)]
        ran = [each for each in found if self.moved(each) or _shares(each, cells)] or found
        return sorted(ran, key=lambda each: (-_shares(each, cells), -abs(self.moved(each))))

    def made(self) -> list[tuple[str, Edit]]:
        """Return the edits of what modules and classes define, by the first name of each."""
        named = [(self._defined(each), each) for each in self._edits]
        found = [
            ([name for name in names if not name.startswith("__")], edit) for names, edit in named
        ]
        return [(names[0], edit) for names, edit in found if names]

    def of_names(self, names: tuple[str, ...]) -> list[tuple[str, Edit]]:
        """Return the edits of what a module or a class defines by one of the names."""
        return [
            (name, edit) for edit in self._edits for name in self._defined(edit) if name in names
        ]

    def at_import(self) -> list[Edit]:
        """Return the edits outside of functions: what they change is made before any ask."""
        return [
            each
            for each in self._edits
            if not inside(each.new_last, self._outlines[each.new].functions)
        ]

    def moved(self, edit: Edit) -> int:
        """Return what ran on its lines, head - base."""
        base, head = self._ran
        minus = range(edit.old_first, edit.old_first + len(edit.minus))
        plus = range(edit.new_first, edit.new_first + len(edit.plus))
        before = sum(base.get((edit.new, line), 0) for line in minus)
        return sum(head.get((edit.new, line), 0) for line in plus) - before

    def hunk(self, edit: Edit) -> Hunk:
        """Return where it is in head."""
        first, last = edit.new_first, edit.new_last
        if last - first >= _LONG:
            ran = [line for line in range(first, last + 1) if (edit.new, line) in self._ran[1]]
            first, last = (ran[0], ran[-1]) if ran else (first, last)
        return Hunk(file=edit.new, first=max(1, first), last=max(1, last), removed=not edit.plus)

    def text(self, edit: Edit) -> str:
        """Return its first line that matters, as it is written: the one on which most ran."""
        lines = edit.plus or edit.minus
        first, ran = (edit.new_first, self._ran[1]) if edit.plus else (edit.old_first, self._ran[0])
        numbers = [number for number, line in enumerate(lines) if _code(line)] or [0]
        return lines[max(numbers, key=lambda each: ran.get((edit.new, first + each), 0))].strip()

    def _defined(self, edit: Edit) -> list[str]:
        found = self._outlines[edit.new].definitions
        first, last = edit.new_first, edit.new_last
        return [
            name for span, names in found if span[0] <= last and first <= span[1] for name in names
        ]

    def _inert(self, edit: Edit) -> bool:
        """Return whether it changes comments, documentation or imports only."""
        minus = [_code(line) for line in edit.minus]
        plus = [_code(line) for line in edit.plus]
        if list(filter(None, minus)) == list(filter(None, plus)):
            return True
        known: Outline = self._outlines[edit.new]
        quiet = (*known.texts, *known.imports)
        lines = [edit.new_first + step for step, line in enumerate(plus) if line]
        return bool(lines) and all(inside(line, quiet) for line in lines)


def _is_python(edit: Edit) -> bool:
    return edit.new.endswith((".py", ".pyi"))


def _code(line: str) -> str:
    """Return a line without a comment that is all of it."""
    return "" if line.lstrip().startswith("#") else line.strip()


def _by_line(flow: Flow, side: int) -> Mapping[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = defaultdict(int)
    for pair in flow.pairs.values():
        function = (pair.base, pair.head)[side]
        for line, times, codes in function.lines if function else ():
            found[function.file, line] += codes or times  # type: ignore[union-attr]
    return found


def _touches(edit: Edit, pair: Pair) -> bool:
    base, head = pair.base, pair.head
    if edit.plus and head is not None:
        return edit.new == head.file and _meets(edit.new_first, edit.new_last, head)
    if edit.minus and base is not None:
        return edit.new == base.file and _meets(edit.old_first, edit.old_last, base)
    return False


def _meets(first: int, last: int, function: Function) -> bool:
    return first <= function.last and function.line <= last


def _new_cells(pair: Pair) -> frozenset[str]:
    if pair.base is None or pair.head is None:
        return frozenset()
    return frozenset(pair.head.cells) - frozenset(pair.base.cells)


def _shares(edit: Edit, cells: frozenset[str]) -> bool:
    """Return whether it may be why variables are cells: a function within uses them."""
    text = "\n".join(edit.plus)
    return any(cell in text for cell in cells) and any(
        word in text for word in ("lambda", "def ", " for ")
    )
