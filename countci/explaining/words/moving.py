"""Own costs of functions and lines that moved."""

from __future__ import annotations

from collections import defaultdict

from countci.explaining.causes import Facts
from countci.explaining.sources import outside
from countci.model import Moved

_MOST = 25
_LEAST = 0.5
"""Instructions of an ask."""
_WORTH = 0.002
"""Of the largest difference."""


def functions(facts: Facts) -> tuple[Moved, ...]:
    """Return the functions whose own cost moved, largest difference first."""
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for side, costs in enumerate((facts.attribution.base, facts.attribution.head)):
        for function in costs.own:
            found[function][side] += costs.total(function)
    return _moved(found)


def lines(facts: Facts) -> tuple[Moved, ...]:
    """Return the lines of head's tree whose own cost moved; lines that are gone are left out."""
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for side, each in enumerate(facts.sides):
        for row, cost in each.graph.own.items():
            file, line = row.file, row.line
            if side == 0:
                mapped = facts.changes.lines.new(file, line)
                if mapped.edit is not None:
                    continue
                file, line = mapped.file, mapped.line
            if line and not outside(file):
                found[f"{file}:{line}"][side] += cost / each.graph.asks
    return _moved(found)


def _moved(found: dict[str, list[float]]) -> tuple[Moved, ...]:
    largest = max((abs(head - base) for base, head in found.values()), default=0.0)
    every = [
        Moved(name=name, base=base, head=head)
        for name, (base, head) in found.items()
        if abs(head - base) > max(_LEAST, _WORTH * largest)
    ]
    return tuple(sorted(every, key=lambda each: (-abs(each.head - each.base), each.name))[:_MOST])
