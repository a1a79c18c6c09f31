"""Changes just above a line that isn't changed itself."""

from __future__ import annotations

import re
from typing import NamedTuple

from countci.explaining.attributing import Item
from countci.explaining.causes.facts import Facts
from countci.explaining.causes.group import SourceFunction
from countci.explaining.symbols import plain

_LINES = 5
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")


class Beside(NamedTuple):
    """The nearest change above."""

    edit: int | None = None
    function: SourceFunction | None = None
    """A changed function that is called there."""


def beside(facts: Facts, item: Item) -> Beside | None:
    """Return the nearest change in the same function, at most five lines above."""
    place = item.place
    around = facts.head.function_at(place.file, place.line)
    if place.edit is not None or around is None:
        return None
    here = SourceFunction(place.file, around.name)
    for line in range(place.line, max(around.first, place.line - _LINES) - 1, -1):
        edit = _edit_at(facts, place.file, line)
        if edit is not None:
            return Beside(edit=edit)
        function = _called(facts, here, item, facts.head.line(place.file, line))
        if function is not None:
            return Beside(function=function)
    return None


def _edit_at(facts: Facts, file: str, line: int) -> int | None:
    """Return the edit of a line, if it ran or decides what is compiled."""
    changes = facts.changes
    edit = changes.lines.edit_of_new(file, line)
    if edit is None:
        edit = changes.removed_below.get((file, line))
    if edit is None or edit in changes.inert:
        return None
    return edit if edit in facts.ran.edits or edit in changes.directives else None


def _called(facts: Facts, here: SourceFunction, item: Item, text: str) -> SourceFunction | None:
    for name in _CALL.findall(text):
        functions = facts.changes.by_name.get(name, ())
        itself = item.callee is not None and plain(item.callee) == name
        if functions and not itself and here not in functions:
            return functions[0]
    return None
