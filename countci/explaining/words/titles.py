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


def title(facts: Facts, group: Group) -> str:
    """Return a function's name, the names of a definition, or what else it is."""
    if group.function is not None:
        return group.function.name
    if group.edit is not None:
        names = facts.changes.names.of(group.edit)
        edit = facts.changes.edits[group.edit]
        defined = [name for name in names if any(name in line for line in edit.lines)]
        return ", ".join((defined or names)[:_MOST_NAMES]) or edit.new
    if group.kind is CauseKind.SAME_CODE and not facts.machine.known:
        return "code that the diff doesn't touch"
    return _TITLES[group.kind]
