"""The cost of one ask on one side, by function, with places that mean the same on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from countci.counting import CostGraph, Row


class Place(NamedTuple):
    """Where in the sources something costs: a line of head, or an edit in a function."""

    file: str
    line: int
    """Of head; 0 in an edit, and where the debug information has none."""
    edit: int | None = None
    function: str = ""
    """In an edit, the function of the sources: an edit may cover several."""

    @property
    def known(self) -> bool:
        """Whether it can be told from other places."""
        return self.edit is not None or (self.line > 0 and not self.file.startswith("?"))


class Call(NamedTuple):
    """Where something is called, and what."""

    place: Place
    callee: str


class Called(NamedTuple):
    """What an ask calls along an edge."""

    number: float
    inclusive: float
    """Instructions."""

    def plus(self, other: Called, share: float = 1.0) -> Called:
        """Return both together, `other` by a share of it."""
        return Called(self.number + share * other.number, self.inclusive + share * other.inclusive)


NOTHING = Called(0.0, 0.0)


class Costs:
    """Instructions of an ask by machine function. Not changed once it is handed on."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.own: dict[str, dict[Place, float]] = defaultdict(dict)
        self.calls: dict[str, dict[Call, Called]] = defaultdict(dict)

    def add_own(self, function: str, place: Place, cost: float) -> None:
        """Add instructions of a function itself."""
        own = self.own[function]
        own[place] = own.get(place, 0.0) + cost

    def add_call(self, function: str, call: Call, called: Called, share: float = 1.0) -> None:
        """Add a share of calls; those of a function by itself are within its own cost."""
        if call.callee != function:
            calls = self.calls[function]
            calls[call] = calls.get(call, NOTHING).plus(called, share)

    @property
    def functions(self) -> set[str]:
        """Every function that ran."""
        callees = {call.callee for calls in self.calls.values() for call in calls}
        return {*self.own, *self.calls, *callees}

    def total(self, function: str) -> float:
        """Return the own cost of a function."""
        return sum(self.own.get(function, {}).values())

    def of_calls(self, function: str) -> dict[Call, Called]:
        """Return what a function calls."""
        return self.calls.get(function, {})


def costs(graph: CostGraph, place: Callable[[Row], Place]) -> Costs:
    """Return the costs of an ask, each row put where `place` says."""
    result = Costs()
    places: dict[tuple[str, int], Place] = {}

    def placed(row: Row) -> Place:
        key = (row.file, row.line)
        if key not in places:
            places[key] = place(row)
        return places[key]

    for row, cost in graph.own.items():
        result.add_own(row.function, placed(row), cost / graph.asks)
    for edge, calls in graph.calls.items():
        called = Called(calls.number / graph.asks, calls.inclusive / graph.asks)
        result.add_call(edge.row.function, Call(placed(edge.row), edge.callee), called)
    return result
