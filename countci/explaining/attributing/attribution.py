"""The costs of both sides to items that say where their difference lies."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from countci.explaining.attributing.costs import Costs
from countci.explaining.attributing.decomposition import Item, decompose
from countci.explaining.attributing.inlining import Inlined, dissolved
from countci.explaining.attributing.netting import net
from countci.explaining.attributing.network import network


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """A difference in items."""

    items: tuple[Item, ...]
    rest: float
    """What they leave of it: an inconsistent profile; instructions of an ask."""
    base: Costs
    """Without what is inlined at head."""
    head: Costs
    """Without what is inlined at base."""
    inlined: tuple[Inlined, ...]


def attribute(
    base: Costs,
    head: Costs,
    touched: Collection[str],
    opaque: Callable[[str, str], bool],
) -> Attribution:
    """Return the difference of two sides, split over lines and calls.

    Args:
        base: costs of one ask, with head's places and names.
        head: the same of the other side.
        touched: functions whose inner changes are of interest.
        opaque: whether a caller stays a black box although it calls this touched callee.
    """
    before, after, inlined = dissolved(base, head)
    items = net(decompose(network(before, after, touched, opaque)))
    whole = _total(head) - _total(base)
    return Attribution(
        items=items,
        rest=whole - sum(item.delta for item in items),
        base=before,
        head=after,
        inlined=inlined,
    )


def _total(costs: Costs) -> float:
    return sum(map(costs.total, costs.own))
