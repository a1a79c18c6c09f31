"""What the machine code of both sides says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from countci.explaining.attributing import Costs
from countci.explaining.causes.facts import Changes, Machine, Ran
from countci.explaining.causes.ran import places
from countci.explaining.question import Question
from countci.explaining.sides import Code


def machine(
    question: Question, names: Mapping[str, str], changes: Changes, sides: tuple[Costs, Costs]
) -> Machine:
    """Return what differs in the machine code.

    Args:
        question: has the code of both sides, where it could be read.
        names: of head, by base's, of functions that have another name.
        changes: what the diff changes.
        sides: what ran.
    """
    base, head = question.base.code, question.head.code
    literals = frozenset(
        function for function, place, _ in places(sides) if place.edit in changes.literals
    )
    if base is None or head is None:
        return _unknown(literals)
    before = {names.get(name, name): digest for name, digest in base.functions.items()}
    after = head.functions
    return Machine(
        known=True,
        both=frozenset(before.keys() & after.keys()),
        either=frozenset(before.keys() | after.keys()),
        differs=frozenset(
            name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
        ),
        literals=literals,
        data=frozenset(
            name
            for name, digest in head.objects.items()
            if base.objects.get(name, digest) != digest
        ),
        flags=_flags_differ(base, head),
    )


def using_data(machine: Machine, changes: Changes, ran: Ran) -> Machine:
    """Return `machine`, functions among its literals that name a changed table of other bytes."""
    edits = {changes.names.edits[name] for name in machine.data if name in changes.names.edits}
    using = {function for function, named in ran.uses.items() if edits & named.keys()}
    return replace(machine, literals=machine.literals | using)


def _unknown(literals: frozenset[str]) -> Machine:
    nothing: frozenset[str] = frozenset()
    return Machine(
        known=False,
        both=nothing,
        either=nothing,
        differs=nothing,
        literals=literals,
        data=nothing,
        flags=False,
    )


def _flags_differ(base: Code, head: Code) -> bool:
    common = base.producers.keys() & head.producers.keys()
    if common:
        return any(base.producers[file] != head.producers[file] for file in common)
    return set(base.producers.values()) != set(head.producers.values())
