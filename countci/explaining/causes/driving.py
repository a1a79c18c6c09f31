"""What decides how often an unchanged line runs: changed data, or a changed function's result."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from countci.explaining.attributing import Item
from countci.explaining.causes.facts import Facts
from countci.explaining.causes.group import SourceFunction
from countci.explaining.symbols import plain

_SAME = 0.5
"""Calls of an ask: less than one is none."""


def more_or_fewer(item: Item) -> bool:
    """Return whether an item is about another number of calls."""
    return item.callee is not None and abs(item.head - item.base) >= _SAME


def data_around(facts: Facts, item: Item) -> int | None:
    """Return the edit of the data that the function around an item reads, itself unchanged.

    Of several, the one on whose readers most is spent.
    """
    here = facts.source_function(item.place)
    if item.place.edit is not None or here is None or here in facts.changes.edits_of:
        return None
    reads = facts.ran.reads.get(here, Counter())
    found = [edit for edit in reads if not same_bytes(facts, edit)]
    return max(found, key=lambda edit: reads[edit], default=None)


def same_bytes(facts: Facts, edit: int) -> bool:
    """Return whether an edit changes tables alone, and none of them has other bytes."""
    base, head = (side.code.objects if side.code else {} for side in facts.sides)
    names = [name for name in facts.changes.names.of(edit) if name in base and name in head]
    return bool(names) and not any(name in facts.machine.data for name in names)


def answers_for(facts: Facts, function: SourceFunction, item: Item) -> bool:
    """Return whether a changed function may be why an item elsewhere costs more, or less.

    What doesn't run at head costs nobody more. Calls that it doesn't make itself are its
    doing only where its result may decide about them.
    """
    if item.delta > 0 and function not in facts.ran.alive:
        return False
    if not more_or_fewer(item):
        return True
    here = facts.source_function(item.place)
    if here is None or here == function:
        return True
    callee = plain(item.callee or "")
    return _mentions(_text(facts, function), callee) or _decides(facts, here, function)


def _decides(facts: Facts, here: SourceFunction, function: SourceFunction) -> bool:
    """Return whether a function uses what another one returns for more than adding it up."""
    name = plain(function.name)
    lines = [line for line in _text(facts, here) if _mentions([line], name)]
    added = re.compile(rf"(?:[-+*/%&|^]|<<|>>)=[^=].*\b{re.escape(name)}\s*\(")
    return not lines or not all(added.search(line) for line in lines)


def _mentions(lines: Iterable[str], name: str) -> bool:
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(word.search(line) for line in lines)


def _text(facts: Facts, function: SourceFunction) -> list[str]:
    """Return the lines of a function of head, and those that were removed from it."""
    found = [
        line
        for each in facts.head.functions(function.file)
        if each.name == function.name
        for line in facts.head.code(function.file, each.first, each.last - each.first + 1)
    ]
    for edit in facts.changes.edits_of.get(function, ()):
        found += facts.changes.edits[edit].minus
    return found
