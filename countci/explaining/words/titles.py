"""What a person would call a cause."""

from __future__ import annotations

from countci.explaining.causes import Facts, Group
from countci.model import CauseKind

_TITLES = {
    CauseKind.ALLOCATOR: "malloc and free themselves",
    CauseKind.SAME_CODE: "unchanged code, other data",
    CauseKind.INLINING: "inlining",
    CauseKind.FLAGS: "compiler flags",
    CauseKind.COMPILED_DIFFERENTLY: "compiled differently",
}
_MOST_NAMES = 3
NO_NAME = "a library without names"


def title(facts: Facts, group: Group) -> str:
    """Return a function's name, the names of a definition, or what else it is."""
    if group.function is not None:
        return group.function.name
    if group.edit is not None:
        return _defined(facts, group.edit)
    if group.kind is CauseKind.SAME_CODE and not facts.machine.known:
        return "code that the diff doesn't touch"
    return _TITLES[group.kind]


def is_named(symbol: str) -> bool:
    """Return whether a symbol is a name, not an address."""
    return "0x" not in symbol and not symbol.startswith("?")


def _defined(facts: Facts, number: int) -> str:
    """Return the definitions that an edit touches; where they have no name, their members."""
    edit = facts.changes.edits[number]
    changed = facts.changes.names.of(number)
    sides = (
        (facts.trees[1], edit.new, edit.new_first, edit.new_last),
        (facts.trees[0], edit.old, edit.old_first, edit.old_last),
    )
    touched = {
        name
        for tree, path, first, last in sides
        for definition in tree.definitions(path)
        if definition.first <= last and definition.last >= first
        for name in definition.names or definition.mentions
    }
    names = [name for name in changed if name in touched]
    if number in facts.changes.names.layouts:
        names = names or sorted(touched)
    names = names or [name for name in changed if any(name in line for line in edit.lines)]
    return ", ".join((names or changed)[:_MOST_NAMES]) or edit.new
