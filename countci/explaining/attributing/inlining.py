"""Functions that exist on one side only because the compiler inlines them on the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from countci.explaining.attributing.costs import Call, Called, Costs, Place
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
    before, gone = _dissolved(base, head, now=True)
    after, new = _dissolved(head, before, now=False)
    return before, after, (*gone, *new)


def _dissolved(costs: Costs, other: Costs, *, now: bool) -> tuple[Costs, list[Inlined]]:
    owners = lines_of(other)
    melting = _Melting(costs)
    found: list[Inlined] = []
    for name in sorted(costs.functions - other.functions):
        outer = _outer(melting.costs, name, owners)
        cost = melting.costs.total(name)
        if outer is not None and melting.dissolve(name):
            found.append(Inlined(inner=name, outer=outer, now=now, cost=cost))
    return melting.costs, found


def _outer(costs: Costs, name: str, owners: Mapping[Place, set[str]]) -> str | None:
    """Return the function that most of a function went to; None if less than half of it did."""
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


class _Melting:
    """A copy of costs in which functions are made part of their callers."""

    def __init__(self, costs: Costs) -> None:
        self.costs = Costs()
        self._callers: dict[str, set[str]] = defaultdict(set)
        for function, own in costs.own.items():
            self.costs.own[function] = dict(own)
        for function, calls in costs.calls.items():
            self.costs.calls[function] = dict(calls)
            for call in calls:
                self._callers[call.callee].add(function)

    def dissolve(self, name: str) -> bool:
        """Spread a function over its callers by how often they call it, if any does."""
        sites = [
            (caller, call, called.number)
            for caller in sorted(self._callers[name])
            for call, called in self.costs.of_calls(caller).items()
            if call.callee == name
        ]
        whole = sum(number for _, _, number in sites)
        if whole <= 0:
            return False
        own = self.costs.own.pop(name, {})
        calls = self.costs.calls.pop(name, {})
        for caller, call, number in sites:
            del self.costs.calls[caller][call]
            self._add(caller, own, calls, number / whole)
        return True

    def _add(
        self, caller: str, own: Mapping[Place, float], calls: Mapping[Call, Called], share: float
    ) -> None:
        for place, cost in own.items():
            self.costs.add_own(caller, place, share * cost)
        for call, called in calls.items():
            self.costs.add_call(caller, call, called, share)
            self._callers[call.callee].add(caller)
