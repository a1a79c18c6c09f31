"""Whom a difference of byte codes is charged to: whoever does more a call, or calls more often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from countci.explaining.attributing.components import components
from countci.explaining.python.flow import Flow

_ASK = -1
"""The component of whoever calls the ask."""


class _Sides:
    """Two numbers, added up."""

    def __init__(self) -> None:
        self.base = 0
        self.head = 0

    def add(self, both: tuple[int, int]) -> None:
        self.base += both[0]
        self.head += both[1]

    @property
    def moved(self) -> int:
        return self.head - self.base


def charges(flow: Flow) -> dict[str, Fraction]:
    """Return what is charged to each pair, by key; what is 0 is left out. The sum is the whole.

    A function is charged for what a call of it does more. For being called more often its
    callers are charged, as far as one call of theirs does it more often, and their own callers
    for the rest. Functions that call each other in circles count as one.
    """
    charged = _Charging(flow).run()
    return {key: amount for key, amount in charged.items() if amount}


class _Charging:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        callees: dict[str, list[str]] = defaultdict(list)
        for caller, callee in flow.calls:
            if caller is not None:
                callees[caller].append(callee)
        self._of = components(flow.pairs, callees)
        self._cost: dict[int, _Sides] = defaultdict(_Sides)
        for key, both in flow.costs.items():
            self._cost[self._of[key]].add(both)
        self._calls: dict[int, dict[int, _Sides]] = defaultdict(lambda: defaultdict(_Sides))
        self._called: dict[int, _Sides] = defaultdict(_Sides)
        for (caller, callee), both in flow.calls.items():
            above = _ASK if caller is None else self._of[caller]
            below = self._of[callee]
            if above != below:
                self._calls[below][above].add(both)
                self._called[below].add(both)
        self._own: dict[int, Fraction] = defaultdict(Fraction)
        self._passed: dict[int, Fraction] = defaultdict(Fraction)

    def run(self) -> dict[str, Fraction]:
        for component in sorted(self._cost):  # callees first
            moved = Fraction(self._cost[component].moved)
            own = _own_part(self._cost[component], self._called[component])
            self._own[component] += own
            self._pass_on(component, self._passed[component] + moved - own)
        return self._shared()

    def _pass_on(self, component: int, amount: Fraction) -> None:
        """Charge callers; there is nothing to pass where it is called as often as before."""
        more = self._called[component].moved
        if not amount or not more:
            self._own[component] += amount
            return
        for above, edge in self._calls[component].items():
            if not edge.moved:
                continue
            part = amount * edge.moved / more
            if above == _ASK:
                self._own[component] += part
                continue
            own = part * _own_part(edge, self._called[above]) / edge.moved
            self._own[above] += own
            self._passed[above] += part - own

    def _shared(self) -> dict[str, Fraction]:
        """Return what is charged to each member: to changed ones, if there are any."""
        members: dict[int, list[str]] = defaultdict(list)
        for key, component in self._of.items():
            members[component].append(key)
        found = {}
        for component, keys in members.items():
            changed = [key for key in keys if self._flow.pairs[key].changed] or keys
            weights = {key: abs(self._flow.moved(key)) for key in changed}
            whole = sum(weights.values())
            for key, weight in weights.items():
                part = Fraction(weight, whole) if whole else Fraction(1, len(weights))
                found[key] = self._own[component] * part
        return found


def _own_part(cost: _Sides, called: _Sides) -> Fraction:
    """Return how much of a difference is there because one call costs more."""
    if not called.base and not called.head:
        return Fraction(cost.moved)
    if not called.base or not called.head:
        return Fraction(0)
    return Fraction(called.base * cost.head, called.head) - cost.base


def by_name(flow: Flow, charged: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return charges with those of functions within a changed one added to it."""
    above = outermost(flow)
    found: dict[str, Fraction] = defaultdict(Fraction)
    for key, amount in charged.items():
        found[above[key]] += amount
    return {key: amount for key, amount in found.items() if amount}


def outermost(flow: Flow) -> dict[str, str]:
    """Return the changed function around each pair, or itself, by keys."""
    keys = {(pair.either.file, pair.name): key for key, pair in flow.pairs.items()}
    found = {}
    for key, pair in flow.pairs.items():
        parts = pair.name.split(".<locals>.")
        names = [".<locals>.".join(parts[:length]) for length in range(1, len(parts))]
        around = [keys[name] for each in names if (name := (pair.either.file, each)) in keys]
        found[key] = next((each for each in around if flow.pairs[each].changed), key)
    return found
