"""What an item is put down to: the first rule that knows decides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from countci.explaining.attributing import Inlined, Item
from countci.explaining.causes.beside import beside
from countci.explaining.causes.driving import (
    answers_for,
    data_around,
    more_or_fewer,
    same_bytes,
)
from countci.explaining.causes.facts import Facts
from countci.explaining.causes.group import (
    ALLOCATOR,
    COMPILED_DIFFERENTLY,
    FLAGS,
    INLINING,
    SAME_CODE,
    Part,
    SourceFunction,
    changed,
    definition,
)
from countci.explaining.sources import names_in
from countci.explaining.symbols import is_allocator, plain

_T = TypeVar("_T")


def put(facts: Facts, flips: Sequence[Inlined], item: Item) -> Part:
    """Return an item with what it is put down to."""
    if is_allocator(item.function):
        return Part(item=item, group=ALLOCATOR)
    if facts.machine.same(item.function):
        return Part(item=item, group=SAME_CODE)
    return (
        _inlined(facts, flips, item)
        or _on_edit(facts, item)
        or _driven(facts, item)
        or _near(facts, item)
        or _far(facts, item)
        or Part(item=item, group=SAME_CODE)
    )


def _inlined(facts: Facts, flips: Sequence[Inlined], item: Item) -> Part | None:
    if item.place.edit is not None:
        return None
    source = facts.source_function(item.place)
    for flip in flips:
        if flip.outer == item.function and (
            item.callee == flip.inner or (source and plain(source.name) == plain(flip.inner))
        ):
            return Part(item=item, group=INLINING)
    return None


def _on_edit(facts: Facts, item: Item) -> Part | None:
    edit = item.place.edit
    if edit is None or edit in facts.changes.inert:
        return None
    functions = facts.changes.functions_of.get(edit, ())
    here = facts.source_function(item.place)
    function = here if here in functions else next(iter(functions), None)
    group = changed(function) if function else definition(edit)
    return Part(item=item, group=group, edit=edit, on_change=True)


def _driven(facts: Facts, item: Item) -> Part | None:
    """Put down another number of calls on an unchanged line to the data that is read around it."""
    if not more_or_fewer(item) or item.function not in facts.touched:
        return None
    near = beside(facts, item)
    if near is not None and near.edit is not None:
        return None
    if (name := _named(facts, item)) is not None:
        return _uses(facts, item, name)
    return _reads(item, data_around(facts, item))


def _reads(item: Item, edit: int | None) -> Part | None:
    if edit is None:
        return None
    return Part(item=item, group=definition(edit), edit=edit, why="in a function that uses it")


def _near(facts: Facts, item: Item) -> Part | None:
    """Put down what lies in a changed function, or just below a change."""
    here = facts.source_function(item.place)
    if here is None:
        return None
    near = beside(facts, item)
    in_changed = here in facts.changes.edits_of
    called = near.function if near else None
    if called and not answers_for(facts, called, item):
        called = None
    if called and (not in_changed or item.callee is not None):
        return _beside_call(item, called)
    if in_changed and not near and item.function in facts.touched:
        strong = facts.changes.names.strong
        name = next((n for n in names_in(facts.text(item.place)) if n in strong), None)
        if name is not None:
            return _uses(facts, item, name)
    if in_changed and _compiled_anew(facts, item.function):
        edit = near.edit if near else None
        why = "below the change" if edit is not None else ""
        return Part(item=item, group=changed(here), edit=edit, why=why)
    return _beside_call(item, called) if called else None


def _compiled_anew(facts: Facts, function: str) -> bool:
    machine = facts.machine
    return (
        not machine.known
        or function in machine.differs
        or function in machine.literals
        or function in facts.ran.on_edits
        or function not in machine.either
    )


def _beside_call(item: Item, function: SourceFunction) -> Part:
    why = f"beside a call of {plain(function.name)}"
    return Part(item=item, group=changed(function), why=why)


def _uses(facts: Facts, item: Item, name: str) -> Part:
    edit = facts.changes.names.edits[name]
    return Part(item=item, group=definition(edit), edit=edit, why=f"uses {name}")


def _far(facts: Facts, item: Item) -> Part | None:
    """Put down what a changed machine function does on lines that no edit is near to."""
    if item.function not in facts.touched:
        return None
    if (name := _named(facts, item)) is not None:
        return _uses(facts, item, name)
    if part := _compiled_or_read(facts, item):
        return part
    if not item.place.known and (named := facts.changes.by_name.get(plain(item.function))):
        return Part(item=item, group=changed(named[0]), why="by its name, as lines aren't known")
    used = facts.ran.uses.get(item.function, Counter())
    edit = next((e for e, _ in used.most_common() if not same_bytes(facts, e)), None)
    if edit is None and not facts.machine.flags:
        edit = _most(facts.ran.handles.get(item.function))
    if edit is not None:
        return Part(item=item, group=definition(edit), edit=edit, why="in a function that uses it")
    return Part(item=item, group=FLAGS if facts.machine.flags else COMPILED_DIFFERENTLY)


def _compiled_or_read(facts: Facts, item: Item) -> Part | None:
    """Put down an item to a changed function inside its own, or to data if that is read more."""
    compiled = facts.ran.compiled_in.get(item.function, Counter())
    function = next((f for f, _ in compiled.most_common() if answers_for(facts, f, item)), None)
    data = data_around(facts, item)
    if data is not None and (
        function is None or facts.ran.uses[item.function][data] > compiled[function]
    ):
        return _reads(item, data)
    if function is None:
        return None
    return Part(item=item, group=changed(function), why=f"compiled into {plain(item.function)}")


def _named(facts: Facts, item: Item) -> str | None:
    """Return the changed name that an item's line mentions; weak ones only if called."""
    names = facts.changes.names
    text = facts.text(item.place)
    strong = names.strong_edits
    for name in names_in(text):
        if name not in names.edits or same_bytes(facts, names.edits[name]):
            continue
        if (
            name in names.strong
            or names.edits[name] in strong
            or re.search(rf"\b{re.escape(name)}\s*\(", text)
        ):
            return name
    return None


def _most(counter: Counter[_T] | None) -> _T | None:
    return counter.most_common(1)[0][0] if counter else None
