"""A difference split into items: a line of a function, or a call on it, costs so much more.

A callee that is clean is a black box: its measured inclusive cost belongs to the calling line.
A dirty one is paid for by the number of calls, at its price per call at base; what each call
costs more is its own. With f = calls at head / calls at base of the function around it:

    own line        head − base · f
    clean callee    inclusive at head − inclusive at base · f
    dirty callee    (calls at head − calls at base · f) · price of a call at base

The prices telescope: the sum of the items is the difference of the totals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from countci.explaining.attributing.costs import NOTHING, Call, Called, Place
from countci.explaining.attributing.network import Network

_NOTHING = 1e-6
"""Instructions of an ask: rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One part of the difference."""

    delta: float
    """Instructions of an ask."""
    function: str
    """The machine function."""
    place: Place
    callee: str | None = None
    """None: own cost of the place."""
    base: float = 0.0
    """Calls of an ask, as if the function around were called as often as at head."""
    head: float = 0.0


def decompose(network: Network) -> tuple[Item, ...]:
    """Return the items of a difference, without those of nothing."""
    prices = _prices(network)
    items: list[Item] = []
    for component, members in network.members.items():
        if component not in network.dirty:
            continue
        paid_by_callers = network.scaled(component) and not all(
            component in present for present in network.present
        )
        if not paid_by_callers:
            for function in members:
                items += _own(network, component, function)
                items += _calls(network, component, function, prices)
    return tuple(item for item in items if abs(item.delta) > _NOTHING)


def _prices(network: Network) -> dict[int, float]:
    """Return the cost of a call of each dirty component, at base; of a new one at head."""
    prices: dict[int, float] = {}
    for component, members in network.members.items():  # callees first
        if component not in network.dirty:
            continue
        side = 0 if component in network.present[0] else 1
        incoming = network.incoming[side][component]
        whole = 0.0
        for function in members:
            whole += network.sides[side].total(function)
            for call, called in network.sides[side].of_calls(function).items():
                callee = network.component[call.callee]
                if callee != component:
                    whole += _price(network, callee, called, prices)
        calls = incoming.number if network.scaled(component) else 1.0
        prices[component] = incoming.share * whole / calls
    return prices


def _price(network: Network, callee: int, called: Called, prices: dict[int, float]) -> float:
    """Return what calls cost at the prices of base."""
    if callee not in network.dirty:
        return called.inclusive
    return called.number * prices[callee] if network.scaled(callee) else 0.0


def _weights(network: Network, component: int) -> tuple[float, float]:
    """Return what base's and head's costs are multiplied with."""
    base = network.incoming[0][component].share * (
        network.factor(component) if _on_both(network, component) else 1.0
    )
    return base, network.incoming[1][component].share


def _on_both(network: Network, component: int) -> bool:
    return all(component in present for present in network.present)


def _own(network: Network, component: int, function: str) -> Iterator[Item]:
    base_weight, head_weight = _weights(network, component)
    base, head = (side.own.get(function, {}) for side in network.sides)
    for place in _either(base, head):
        delta = head_weight * head.get(place, 0.0) - base_weight * base.get(place, 0.0)
        yield Item(delta=delta, function=function, place=place)


def _calls(
    network: Network, component: int, function: str, prices: dict[int, float]
) -> Iterator[Item]:
    base_weight, head_weight = _weights(network, component)
    base, head = (side.of_calls(function) for side in network.sides)
    for call in _either_call(base, head):
        callee = network.component[call.callee]
        if callee == component:
            continue
        before, after = base.get(call, NOTHING), head.get(call, NOTHING)
        delta = head_weight * _price(network, callee, after, prices)
        delta -= base_weight * _price(network, callee, before, prices)
        yield Item(
            delta=delta,
            function=function,
            place=call.place,
            callee=call.callee,
            base=base_weight * before.number,
            head=head_weight * after.number,
        )


def _either(base: dict[Place, float], head: dict[Place, float]) -> list[Place]:
    return [*base, *(place for place in head if place not in base)]


def _either_call(base: dict[Call, Called], head: dict[Call, Called]) -> list[Call]:
    return [*base, *(call for call in head if call not in base)]
