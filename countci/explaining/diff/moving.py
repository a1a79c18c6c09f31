"""Blocks that only moved: removed in one place, added in another, equal but for spaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from countci.explaining.diff.parsing import Edit

Line: TypeAlias = tuple[str, int]
"""A file and a line of it."""

_LEAST = 20
"""Letters and digits of a block: the rule of git's --color-moved."""
_COMMONEST = 60
"""A line that was added more often, like `}`, starts no block."""


_LONGEST = 1_000_000
"""Lines of one hunk times lines of the other: beyond, short blocks aren't looked for."""


class _Run(NamedTuple):
    """A block; the largest sorts last."""

    size: int
    """Letters and digits."""
    length: int
    """Lines."""
    old: Line
    new: Line


def moved(edits: Sequence[Edit]) -> dict[Line, Line]:
    """Return where each moved line of the old tree is in the new one; longest blocks first.

    Between two hunks that share a block, what is left of it moved too, however short.
    """
    minus, plus = _texts(edits)
    found: dict[Line, Line] = {}
    taken: set[Line] = set()
    for run in sorted(_runs(minus, plus), reverse=True):
        for step in range(run.length):
            old, new = _after(run.old, step), _after(run.new, step)
            if old not in found and new not in taken:
                found[old] = new
                taken.add(new)
    for old, new in _shorter(edits, found):
        if old not in found and new not in taken:
            found[old] = new
            taken.add(new)
    return found


def _shorter(edits: Sequence[Edit], found: Mapping[Line, Line]) -> list[tuple[Line, Line]]:
    """Return the equal lines, in order, of each two hunks that share a moved block."""
    left = {(e.old, e.old_first + step): e for e in edits for step in range(len(e.minus))}
    arrived = {(e.new, e.new_first + step): e for e in edits for step in range(len(e.plus))}
    pairs = dict.fromkeys((left[old].id, arrived[new].id) for old, new in found.items())
    lines = []
    for old, new in ((edits[a], edits[b]) for a, b in pairs):
        if len(old.minus) * len(new.plus) > _LONGEST:
            continue
        before, after = (
            ["".join(t.split()) for t in old.minus],
            ["".join(t.split()) for t in new.plus],
        )
        for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
            lines += [
                (
                    (old.old, old.old_first + block.a + step),
                    (new.new, new.new_first + block.b + step),
                )
                for step in range(block.size)
            ]
    return lines


def _texts(edits: Sequence[Edit]) -> tuple[dict[Line, str], dict[Line, str]]:
    minus: dict[Line, str] = {}
    plus: dict[Line, str] = {}
    for edit in edits:
        for step, text in enumerate(edit.minus):
            minus[edit.old, edit.old_first + step] = "".join(text.split())
        for step, text in enumerate(edit.plus):
            plus[edit.new, edit.new_first + step] = "".join(text.split())
    return minus, plus


def _runs(minus: Mapping[Line, str], plus: Mapping[Line, str]) -> Iterator[_Run]:
    added: dict[str, list[Line]] = defaultdict(list)
    for line, text in plus.items():
        added[text].append(line)
    for old, text in minus.items():
        places = added.get(text, ())
        if not text or len(places) > _COMMONEST:
            continue
        for new in places:
            before = minus.get(_after(old, -1))
            if before is not None and before == plus.get(_after(new, -1)):
                continue  # the block started above
            run = _run(minus, plus, old, new)
            if run.size >= _LEAST:
                yield run


def _run(minus: Mapping[Line, str], plus: Mapping[Line, str], old: Line, new: Line) -> _Run:
    length = size = 0
    while (text := minus.get(_after(old, length))) is not None:
        if text != plus.get(_after(new, length)):
            break
        size += sum(letter.isalnum() for letter in text)
        length += 1
    return _Run(size, length, old, new)


def _after(line: Line, step: int) -> Line:
    return line[0], line[1] + step
