"""How much the debug information told of what ran. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from countci.counting import CostGraph
from countci.explaining.sides import Names
from countci.model import Reason

_UNKNOWN = "???"
_LITTLE = 0.02
"""Of what ran in a file: start-up code and stubs of the linker never have a line."""
_WORTH_SAYING = 0.05
_DIFFERS = "Build with -g; it changes no instruction"


def knowledge(graph: CostGraph, binaries: Mapping[str, str]) -> tuple[Names, tuple[Reason, ...]]:
    """Return how much is known of the project's own code, and what is missing.

    Args:
        graph: what ran.
        binaries: the project's own executables and libraries: how they are shown, by path.
    """
    costs = {kind: _costs(graph, kind) for kind in ("lines", "functions", "none")}
    whole = Counter[str]()
    for each in costs.values():
        whole.update(each)
    notes = [
        reason
        for path, shown in sorted(binaries.items())
        if (reason := _note(path, shown, costs, whole)) is not None
    ]
    if _libc_is_dark(graph):
        notes.append(
            Reason(code="no-libc-names", text="install libc6-dbg to see names inside libc")
        )
    return _names(costs, whole, binaries), tuple(notes)


def _costs(graph: CostGraph, kind: str) -> Counter[str]:
    """Return the instructions that so much is known of, by the file that they are in."""
    found = Counter[str]()
    for row, cost in graph.own.items():
        known = "lines" if row.file != _UNKNOWN else "functions"
        if row.file == _UNKNOWN and row.function == _UNKNOWN:
            known = "none"
        if known == kind:
            found[graph.objects.get(row.function, _UNKNOWN)] += max(cost, 0)
    return found


def _note(
    path: str, shown: str, costs: Mapping[str, Counter[str]], whole: Counter[str]
) -> Reason | None:
    if costs["none"][path] > _LITTLE * whole[path]:
        return Reason(code="stripped", text=f"no names in {shown}: do not strip the artifact")
    if costs["functions"][path] > _LITTLE * whole[path]:
        text = f"no debug information in {shown}: functions only. {_DIFFERS}"
        return Reason(code="no-debug-information", text=text)
    return None


def _names(
    costs: Mapping[str, Counter[str]], whole: Counter[str], binaries: Mapping[str, str]
) -> Names:
    """Return what is known of the larger part of the project's own code."""
    total = sum(whole[path] for path in binaries)
    share = {kind: sum(costs[kind][path] for path in binaries) for kind in costs}
    if 2 * share["lines"] >= total:
        return "lines"
    return "functions" if share["functions"] >= share["none"] else "none"


def _libc_is_dark(graph: CostGraph) -> bool:
    dark = sum(
        cost
        for row, cost in graph.own.items()
        if row.function.startswith("libc.so") and ":0x" in row.function
    )
    return dark > _WORTH_SAYING * graph.total
