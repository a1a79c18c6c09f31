"""The call graph of both sides together: what calls what, how often, at what price."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from countci.explaining.attributing.components import components
from countci.explaining.attributing.costs import Costs

_NO_CALL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """What comes into a component from others, on one side."""

    number: float
    """Calls by dirty components, each by its share."""
    share: float
    """Part of the component's cost that dirty components pay for call by call; the rest is in
    the inclusive cost of clean ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Both sides' functions, in components."""

    sides: tuple[Costs, Costs]
    component: dict[str, int]
    members: dict[int, list[str]]
    """By component, callees first."""
    dirty: frozenset[int]
    """Components whose inner changes are looked at; others are black boxes with a price."""
    present: tuple[frozenset[int], frozenset[int]]
    incoming: tuple[dict[int, Incoming], dict[int, Incoming]]

    def scaled(self, component: int) -> bool:
        """Return whether its callers pay for a component by the number of calls.

        A component that nothing calls on a side where it runs stands for itself: a root, or
        what was called before the asks began.
        """
        return all(
            self.incoming[side][component].number > _NO_CALL
            for side in (0, 1)
            if component in self.present[side]
        )

    def factor(self, component: int) -> float:
        """Return how often head calls it for each call at base."""
        if not self.scaled(component):
            return 1.0
        return self.incoming[1][component].number / self.incoming[0][component].number


def network(
    base: Costs, head: Costs, touched: Collection[str], opaque: Callable[[str, str], bool]
) -> Network:
    """Return the call graph of both sides.

    Args:
        base: one side.
        head: the other side.
        touched: functions that differ themselves.
        opaque: whether a caller stays a black box although it calls a dirty callee: a library
            function that calls malloc.
    """
    calls: dict[str, set[str]] = defaultdict(set)
    for side in (base, head):
        for function, every in side.calls.items():
            calls[function].update(call.callee for call in every)
    nodes = sorted(base.functions | head.functions)
    component = components(nodes, {name: sorted(callees) for name, callees in calls.items()})
    members: dict[int, list[str]] = {number: [] for number in sorted(set(component.values()))}
    for node in nodes:
        members[component[node]].append(node)
    roots = members.keys() - _called(calls, component)
    marked = {component[name] for name in touched if name in component}
    dirty = _dirty(members, calls, roots | marked, opaque)
    return Network(
        sides=(base, head),
        component=component,
        members=members,
        dirty=frozenset(dirty),
        present=(_present(base, component), _present(head, component)),
        incoming=(_incoming(base, component, dirty), _incoming(head, component, dirty)),
    )


def _called(calls: Mapping[str, set[str]], component: Mapping[str, int]) -> set[int]:
    """Return the components that others call."""
    return {
        component[callee]
        for caller, callees in calls.items()
        for callee in callees
        if component[caller] != component[callee]
    }


def _dirty(
    members: Mapping[int, list[str]],
    calls: Mapping[str, set[str]],
    marked: set[int],
    opaque: Callable[[str, str], bool],
) -> set[int]:
    """Return the marked components, and all above them that are no black boxes."""
    component = {name: number for number, names in members.items() for name in names}
    dirty: set[int] = set()
    for number, names in members.items():  # callees first
        below = any(
            component[callee] in dirty and not opaque(name, callee)
            for name in names
            for callee in calls.get(name, ())
        )
        if below or number in marked:
            dirty.add(number)
    return dirty


def _present(costs: Costs, component: dict[str, int]) -> frozenset[int]:
    return frozenset(component[name] for name in costs.functions)


def _incoming(costs: Costs, component: dict[str, int], dirty: set[int]) -> dict[int, Incoming]:
    """Return what each component gets, callers first, since a share is handed down."""
    by_component: dict[int, list[str]] = defaultdict(list)
    for name, number in component.items():
        by_component[number].append(name)
    number_of: dict[int, float] = defaultdict(float)
    paid: dict[int, float] = defaultdict(float)
    whole: dict[int, float] = defaultdict(float)
    result: dict[int, Incoming] = {}
    for number in sorted(by_component, reverse=True):
        share = _share(paid[number], whole[number])
        result[number] = Incoming(number=number_of[number], share=share)
        for name in by_component[number]:
            for call, called in costs.of_calls(name).items():
                callee = component[call.callee]
                if callee == number:
                    continue
                whole[callee] += called.inclusive
                if number in dirty:
                    paid[callee] += share * called.inclusive
                    number_of[callee] += share * called.number
    return result


def _share(paid: float, whole: float) -> float:
    if whole <= 0:
        return 1.0  # nothing calls it
    return min(1.0, max(0.0, paid / whole))
