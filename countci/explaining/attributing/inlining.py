"""Functions that exist on one side only because the compiler inlines them on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from countci.explaining.attributing.costs import NOTHING, Call, Called, Costs, Place
from countci.explaining.attributing.renaming import lines_of

_ENOUGH = 0.5
"""Share of a function's cost that lies on lines which other functions have on the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inlined:
    """A function that is part of another one on one side."""

    inner: str
    outer: str
    """Where most of it went, or came from."""
    now: bool
    """Inlined in head; otherwise it was in base, and is no longer."""
    cost: float
    """Instructions of an ask."""


def dissolved(base: Costs, head: Costs) -> tuple[Costs, Costs, tuple[Inlined, ...]]:
    """Return both sides without the functions that are inlined on the other, and which."""
    found: list[Inlined] = []
    sides = [base, head]
    for side, other in ((0, 1), (1, 0)):
        owners = lines_of(sides[other])
        for name in sorted(sides[side].functions - sides[other].functions):
            outer = _outer(sides[side], name, owners)
            if outer is not None and _has_callers(sides[side], name):
                cost = sides[side].total(name)
                sides[side] = _without(sides[side], name)
                found.append(Inlined(inner=name, outer=outer, now=side == 0, cost=cost))
    return sides[0], sides[1], tuple(found)


def _outer(costs: Costs, name: str, owners: Mapping[Place, set[str]]) -> str | None:
    weight: Counter[str] = Counter()
    covered = 0.0
    for place, cost in costs.own.get(name, {}).items():
        if place in owners:
            covered += cost
            for owner in owners[place]:
                weight[owner] += round(cost)
    if not weight or covered < _ENOUGH * costs.total(name):
        return None
    return max(weight.items(), key=lambda each: (each[1], each[0]))[0]


def _has_callers(costs: Costs, name: str) -> bool:
    calls = (each for every in costs.calls.values() for each in every.items())
    return sum(called.number for call, called in calls if call.callee == name) > 0


def _without(costs: Costs, name: str) -> Costs:
    """Return the costs with a function made part of its callers, by how often they call it."""
    number = sum(
        called.number
        for calls in costs.calls.values()
        for call, called in calls.items()
        if call.callee == name
    )
    result = Costs()
    for function, own in costs.own.items():
        if function != name:
            for place, cost in own.items():
                result.add_own(function, place, cost)
    for function, calls in costs.calls.items():
        if function != name:
            share = _copied(result, function, calls, name) / number
            if share:
                _spread(result, costs, function, name, share)
    return result


def _copied(result: Costs, function: str, calls: Mapping[Call, Called], name: str) -> float:
    """Copy what a function calls, but for `name`, and return how often it calls that."""
    number = 0.0
    for call, called in calls.items():
        if call.callee == name:
            number += called.number
        else:
            result.add_call(function, call, NOTHING.plus(called))
    return number


def _spread(result: Costs, costs: Costs, function: str, name: str, share: float) -> None:
    for place, cost in costs.own.get(name, {}).items():
        result.add_own(function, place, share * cost)
    for call, called in costs.of_calls(name).items():
        result.add_call(function, call, called, share)
