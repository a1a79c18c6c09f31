"""Calls that the compiler inlines on one side only, seen where the function exists on both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from countci.explaining.attributing import Costs, Inlined
from countci.explaining.causes.facts import Facts
from countci.explaining.sources import outside
from countci.explaining.symbols import plain

_FEWER_CALLS = 0.3
"""Of the calls, at least."""
_LEAST = 0.002
"""Of a whole ask: what the callee's own lines cost more inside the caller."""


def flips(facts: Facts) -> tuple[Inlined, ...]:
    """Return what is inlined on one side only: fewer calls, and the callee's lines inside."""
    found = [
        flip
        for outer in sorted(facts.machine.differs & facts.machine.both)
        for flip in _of(facts, outer)
    ]
    return tuple(found)


def _of(facts: Facts, outer: str) -> list[Inlined]:
    sides = (facts.attribution.base, facts.attribution.head)
    lines = [_by_source(facts, side, outer) for side in sides]
    calls = [_by_callee(side, outer) for side in sides]
    found = []
    for callee in dict.fromkeys((*calls[0], *calls[1])):
        name = plain(callee)
        more = lines[1].get(name, 0.0) - lines[0].get(name, 0.0)
        numbers = [side.get(callee, 0.0) for side in calls]
        now = _flipped(numbers, more)
        if name == plain(outer) or now is None or abs(more) < _LEAST * abs(facts.totals[0]):
            continue
        found.append(Inlined(inner=callee, outer=outer, now=now, cost=abs(more)))
    return found


def _flipped(calls: Sequence[float], more: float) -> bool | None:
    """Return whether it is inlined now; None where calls and lines don't go against each other."""
    fewer = calls[0] - calls[1]
    if abs(fewer) <= _FEWER_CALLS * max(calls) or fewer * more <= 0:
        return None
    return fewer > 0


def _by_source(facts: Facts, costs: Costs, function: str) -> dict[str, float]:
    """Return the own cost of a machine function by the source functions that are in it."""
    found: dict[str, float] = defaultdict(float)
    for place, cost in costs.own.get(function, {}).items():
        source = None if outside(place.file) else facts.source_function(place)
        if source is not None and place.edit is None:
            found[plain(source.name)] += cost
    return found


def _by_callee(costs: Costs, function: str) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for call, called in costs.of_calls(function).items():
        found[call.callee] += called.number
    return found
