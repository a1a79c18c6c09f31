"""Functions that have another name on the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from countci.explaining.attributing.costs import Call, Costs, Place
from countci.explaining.symbols import plain

_ENOUGH = 0.5
"""Share of a function's cost that lies on lines of the other name."""


def renamed(base: Costs, head: Costs) -> dict[str, str]:
    """Return the name in head of each function of base that lost its name.

    By lines: at least half of its cost lies on lines that belong to a new name now. Else by
    an equal name without namespaces, parameters and template arguments.
    """
    gone = sorted(base.functions - head.functions)
    new = head.functions - base.functions
    owners = lines_of(head)
    found: dict[str, str] = {}
    for name in gone:
        other = _by_lines(base, name, owners, new) or _by_name(name, new)
        if other is not None and base.total(name):
            found[name] = other
            new.discard(other)
    return found


def lines_of(costs: Costs) -> dict[Place, set[str]]:
    """Return the functions that each known place has cost in."""
    owners: dict[Place, set[str]] = {}
    for function, own in costs.own.items():
        for place in own:
            if place.known:
                owners.setdefault(place, set()).add(function)
    return owners


def rename(costs: Costs, names: Mapping[str, str]) -> Costs:
    """Return the same costs under other names."""
    result = Costs()
    for function, own in costs.own.items():
        for place, cost in own.items():
            result.add_own(names.get(function, function), place, cost)
    for function, calls in costs.calls.items():
        for call, called in calls.items():
            callee = names.get(call.callee, call.callee)
            result.add_call(names.get(function, function), Call(call.place, callee), called)
    return result


def _by_lines(
    costs: Costs, name: str, owners: Mapping[Place, set[str]], new: set[str]
) -> str | None:
    weight: Counter[str] = Counter()
    for place, cost in costs.own.get(name, {}).items():
        for owner in owners.get(place, set()) & new:
            weight[owner] += round(cost)
    if not weight:
        return None
    owner, most = max(weight.items(), key=lambda each: (each[1], each[0]))
    return owner if most >= _ENOUGH * costs.total(name) else None


def _by_name(name: str, new: set[str]) -> str | None:
    same = sorted(each for each in new if plain(each) == plain(name))
    return same[0] if same else None
