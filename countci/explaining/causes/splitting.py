"""Hunks of several definitions, cut to one each: code that uses one may not use the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from countci.explaining.diff import Diff, Edit
from countci.explaining.sources import Definition, Tree, is_source


def split(diff: Diff, trees: tuple[Tree, Tree]) -> Diff:
    """Return the diff with hunks cut where a definition begins, or ends, on both sides."""
    pieces = [piece for edit in diff.edits for piece in _pieces(edit, trees)]
    edits = tuple(replace(piece, id=number) for number, piece in enumerate(pieces))
    return replace(diff, edits=edits)


def _pieces(edit: Edit, trees: tuple[Tree, Tree]) -> Iterator[Edit]:
    if not is_source(edit.new) or max(len(edit.minus), len(edit.plus)) < 2:
        yield edit
        return
    end = (len(edit.minus), len(edit.plus))
    at = (0, 0)
    for to in (*_cuts(edit, trees), end):
        if to != at:
            yield _piece(edit, at, to)
        at = to


def _cuts(edit: Edit, trees: tuple[Tree, Tree]) -> Iterator[tuple[int, int]]:
    """Yield offsets into both sides, in order."""
    old = _inside(trees[0], edit.old, edit.old_first, len(edit.minus))
    new = _inside(trees[1], edit.new, edit.new_first, len(edit.plus))
    for before, after in _paired(old, new, edit):
        yield before[0], after[0]
        yield before[1], after[1]


def _paired(
    old: Sequence[Definition], new: Sequence[Definition], edit: Edit
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the offsets of each definition's lines: before, and after."""
    if not edit.minus:
        yield from (((0, 0), _lines(each, edit.new_first, edit.plus)) for each in new)
    elif not edit.plus:
        yield from ((_lines(each, edit.old_first, edit.minus), (0, 0)) for each in old)
    else:
        rest = list(old)
        for after in new:
            place = next((n for n, before in enumerate(rest) if _is_same(before, after)), None)
            if place is not None:
                before = rest[place]
                rest = rest[place + 1 :]
                yield (
                    _lines(before, edit.old_first, edit.minus),
                    _lines(after, edit.new_first, edit.plus),
                )


def _lines(definition: Definition, first: int, lines: Sequence[str]) -> tuple[int, int]:
    return definition.first - first, min(definition.last + 1 - first, len(lines))


def _is_same(before: Definition, after: Definition) -> bool:
    """Return whether both define the same; what has no name is told by what it mentions."""
    if before.names or after.names:
        return bool(before.names & after.names)
    return before.kind == after.kind and bool(before.mentions & after.mentions)


def _inside(tree: Tree, path: str, first: int, count: int) -> list[Definition]:
    """Return the outermost definitions outside of functions that begin in a range of lines."""
    found: list[Definition] = []
    for each in tree.definitions(path):
        begins = first <= each.first < first + count and each.kind != "class"
        outermost = not found or each.first > found[-1].last
        if begins and outermost and tree.function_at(path, each.first) is None:
            found.append(each)
    return found


def _piece(edit: Edit, start: tuple[int, int], end: tuple[int, int]) -> Edit:
    minus, plus = edit.minus[start[0] : end[0]], edit.plus[start[1] : end[1]]
    return replace(
        edit,
        # Where a side has nothing, its line is the one before.
        old_first=edit.old_first + start[0] - (not minus and bool(edit.minus)),
        new_first=edit.new_first + start[1] - (not plus and bool(edit.plus)),
        minus=minus,
        plus=plus,
    )
