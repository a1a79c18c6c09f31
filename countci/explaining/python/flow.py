"""Both traces as one graph: what each function costs, and who calls whom how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from countci.counting import Function, Trace
from countci.explaining.diff import Diff
from countci.explaining.python.pairing import Pair, paired
from countci.explaining.python.paths import in_tree

Both = tuple[int, int]
"""On base and on head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What an ask does on both sides, by keys of pairs."""

    pairs: Mapping[str, Pair]
    costs: Mapping[str, Both]
    calls: Mapping[tuple[str | None, str], Both]
    """By caller and callee; None calls the ask itself."""
    foreign: Mapping[tuple[str, str], Both]
    """Calls of C functions, by caller and name."""
    unit: str
    """What `costs` counts: byte codes, or lines where those are not known on both sides."""

    def moved(self, key: str) -> int:
        """Return the difference of its own cost."""
        before, after = self.costs[key]
        return after - before


def flow(base: Trace, head: Trace, diff: Diff) -> Flow:
    """Return both traces as one; files are those of head's tree."""
    renames = {edit.old: edit.new for edit in diff.edits} | dict(diff.renames)
    old = {*renames, *(edit.old for edit in diff.edits)}
    new = {*renames.values(), *(edit.new for edit in diff.edits)}
    left = [
        _in(each, renames.get(path := in_tree(each.file, old), path)) for each in base.functions
    ]
    right = [_in(each, in_tree(each.file, new)) for each in head.functions]
    pairs = {pair.key: pair for pair in paired(left, right)}
    byte_codes = base.byte_codes and head.byte_codes
    keys = (
        {id(pair.base): key for key, pair in pairs.items()},
        {id(pair.head): key for key, pair in pairs.items()},
    )
    names = [keys[0][id(each)] for each in left], [keys[1][id(each)] for each in right]
    return Flow(
        pairs=pairs,
        costs={
            key: (_cost(pair.base, byte_codes=byte_codes), _cost(pair.head, byte_codes=byte_codes))
            for key, pair in pairs.items()
        },
        calls=_calls(base, head, names),
        foreign=_foreign(base, head, names),
        unit="byte codes" if byte_codes else "lines",
    )


def _in(function: Function, file: str) -> Function:
    return msgspec.structs.replace(function, file=file)


def _cost(function: Function | None, *, byte_codes: bool) -> int:
    if function is None:
        return 0
    if byte_codes:
        return function.byte_codes
    return sum(times for _, times, _ in function.lines)


def _calls(
    base: Trace, head: Trace, names: tuple[list[str], list[str]]
) -> dict[tuple[str | None, str], Both]:
    found: dict[tuple[str | None, str], list[int]] = defaultdict(lambda: [0, 0])
    for side, trace in enumerate((base, head)):
        for caller, callee, times in trace.calls:
            above = None if caller is None else names[side][caller]
            found[above, names[side][callee]][side] += times
    return {edge: (both[0], both[1]) for edge, both in found.items()}


def _foreign(
    base: Trace, head: Trace, names: tuple[list[str], list[str]]
) -> dict[tuple[str, str], Both]:
    found: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for side, trace in enumerate((base, head)):
        for caller, name, times in trace.foreign:
            found[names[side][caller], name][side] += times
    return {edge: (both[0], both[1]) for edge, both in found.items()}
