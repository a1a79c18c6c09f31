"""Which functions did more themselves, however deep below the lines that pay for it."""

from __future__ import annotations

from collections import defaultdict

from countci.explaining.attributing import Costs, Place
from countci.explaining.causes import Facts
from countci.explaining.causes.ranking import Ranked
from countci.explaining.symbols import plain
from countci.explaining.words.calling import Callee
from countci.model import CauseKind

_DOMINANT = 0.8
"""Of the whole difference: then all that moved belongs to the group."""


def deep(facts: Facts, ranked: Ranked) -> list[Callee]:
    """Return what moved inside unchanged code, largest first; nothing where others moved too."""
    same = ranked.group.kind is CauseKind.SAME_CODE
    if not same or ranked.delta * facts.delta <= 0:
        return []
    if abs(ranked.delta) < _DOMINANT * abs(facts.delta):
        return []
    sides = (facts.attribution.base, facts.attribution.head)
    calls = [_calls(side) for side in sides]
    every = [
        Callee(
            name=name,
            delta=sides[1].total(name) - sides[0].total(name),
            base=calls[0].get(name, 0.0),
            head=calls[1].get(name, 0.0),
        )
        for name in sorted(sides[0].functions | sides[1].functions)
    ]
    return sorted(
        (each for each in every if each.delta * ranked.delta > 0), key=lambda each: -abs(each.delta)
    )


def caller(facts: Facts, callee: str) -> tuple[str, Place] | None:
    """Return who calls a function for most of its difference, and where."""
    moved: dict[tuple[str, Place], float] = defaultdict(float)
    for costs, sign in ((facts.attribution.base, -1), (facts.attribution.head, 1)):
        for function, calls in costs.calls.items():
            for call, called in calls.items():
                if call.callee == callee:
                    moved[function, call.place] += sign * called.inclusive
    if not moved:
        return None
    function, place = max(moved, key=lambda each: abs(moved[each]))
    return plain(function), place


def _calls(costs: Costs) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for calls in costs.calls.values():
        for call, called in calls.items():
            found[call.callee] += called.number
    return found
