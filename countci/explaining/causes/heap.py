"""The edit behind a cost that arises inside malloc and free."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from countci.explaining.causes.facts import Facts
from countci.explaining.causes.group import Group, changed, definition
from countci.explaining.causes.ranking import Ranked, edit_of
from countci.explaining.causes.verdicts import Verdict
from countci.explaining.symbols import is_allocator, plain

_ENOUGH = 0.2
"""Of what the allocator costs more: calls on changed lines that explain it."""
_ALLOCATES = re.compile(r"\b(?:malloc|calloc|realloc|new\b|\w*alloc\w*|with_capacity)")


def through_allocator(facts: Facts, groups: Sequence[Ranked]) -> Verdict:
    """Return who made the allocator work differently.

    Changed lines with another number of calls, then a type of another size, then changed
    lines that allocate, then any other group.
    """
    calls = _calls(groups)
    many = max(calls, key=lambda each: calls[each], default=None)
    if many is not None and calls[many] > _ENOUGH * abs(groups[0].delta):
        return Verdict(group=many[0], edit=many[1], how="heap-calls")
    layout = min(facts.changes.names.layouts - facts.changes.inert, default=None)
    if layout is not None:
        return Verdict(group=definition(layout), edit=layout, how="heap-layout")
    if (sizes := _allocating(facts)) is not None:
        return Verdict(group=group_of(facts, sizes), edit=sizes, how="heap-sizes")
    if many is not None:
        return Verdict(group=many[0], edit=many[1], how="heap")
    for each in groups[1:]:
        edit = edit_of(facts, each)
        if edit is not None:
            return Verdict(group=each.group, edit=edit, how="weak")
    return Verdict(group=groups[0].group)


def mentioning(facts: Facts, symbol: str) -> int | None:
    """Return the first edit that names a function."""
    name = re.compile(rf"\b{re.escape(plain(symbol))}\b")
    for edit in facts.changes.edits:
        if edit.id not in facts.changes.inert and any(name.search(line) for line in edit.lines):
            return edit.id
    return None


def group_of(facts: Facts, edit: int) -> Group:
    """Return the group that an edit belongs to by its place alone."""
    functions = facts.changes.functions_of.get(edit, ())
    return changed(functions[0]) if functions else definition(edit)


def _calls(groups: Sequence[Ranked]) -> dict[tuple[Group, int], float]:
    """Return what more or fewer calls of the allocator cost, by group and edit."""
    found: dict[tuple[Group, int], float] = defaultdict(float)
    for each in groups:
        for part in each.parts:
            callee = part.item.callee
            if part.edit is not None and callee is not None and is_allocator(callee):
                found[each.group, part.edit] += abs(part.item.delta)
    return found


def _allocating(facts: Facts) -> int | None:
    """Return the first edit of a function that ran and allocates: other sizes."""
    for edit in facts.changes.edits:
        ran = edit.id in facts.ran.edits and edit.id not in facts.changes.inert
        inside = facts.changes.functions_of.get(edit.id)
        if ran and inside and _ALLOCATES.search(" ".join(edit.lines)):
            return edit.id
    return None
