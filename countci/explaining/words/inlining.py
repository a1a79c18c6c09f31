"""What the compiler inlines on one side only, where it costs."""

from __future__ import annotations

from collections import defaultdict

from countci.explaining.attributing import Inlined
from countci.explaining.causes import Facts, Judgement
from countci.explaining.causes.ranking import Ranked
from countci.explaining.names import bare
from countci.model import CauseKind

_WORTH = 0.002
"""Of an ask."""
_MOST_OF_IT = 0.5
_COMPILER = (CauseKind.INLINING, CauseKind.COMPILED_DIFFERENTLY)


def inlined_in(facts: Facts, judgement: Judgement, ranked: Ranked) -> list[Inlined]:
    """Return what is inlined on one side only in the functions of a group, by cost."""
    functions = {part.item.function for part in ranked.parts}
    return [
        each
        for each in judgement.inlined
        if each.outer in functions and each.cost > _WORTH * abs(facts.totals[0])
    ]


def inlining_function(facts: Facts, judgement: Judgement, ranked: Ranked) -> str | None:
    """Return the function that most of a group is spent in, if inlining in it explains that."""
    if ranked.group.kind not in _COMPILER:
        return None
    costs: dict[str, float] = defaultdict(float)
    for part in ranked.parts:
        costs[part.item.function] += part.item.delta
    largest = max(costs, key=lambda name: costs[name] * ranked.delta)
    outers = {each.outer for each in inlined_in(facts, judgement, ranked)}
    enough = costs[largest] / ranked.delta >= _MOST_OF_IT
    return bare(largest) if enough and largest in outers else None
