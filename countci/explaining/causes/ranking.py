"""Which group matters most, and which edit stands for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from countci.explaining.causes.facts import Facts
from countci.explaining.causes.group import Group, Part
from countci.model import CauseKind

_WITHOUT_EDIT = frozenset(
    {
        CauseKind.ALLOCATOR,
        CauseKind.FLAGS,
        CauseKind.COMPILED_DIFFERENTLY,
        CauseKind.SAME_CODE,
        CauseKind.INLINING,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A group with its parts."""

    group: Group
    parts: tuple[Part, ...]

    @property
    def delta(self) -> float:
        """Instructions of an ask."""
        return sum(part.item.delta for part in self.parts)

    @property
    def on_changes(self) -> float:
        """What of it lies on changed lines."""
        return sum(part.item.delta for part in self.parts if part.on_change)


def ranked(parts: Sequence[Part], delta: float) -> tuple[Ranked, ...]:
    """Return the groups, those with the sign of the whole difference first, largest first."""
    by_group: dict[Group, list[Part]] = defaultdict(list)
    for part in parts:
        by_group[part.group].append(part)
    every = [Ranked(group=group, parts=tuple(found)) for group, found in by_group.items()]
    return tuple(
        sorted(
            (each for each in every if each.delta),
            key=lambda each: (each.delta * delta <= 0, -abs(each.delta)),
        )
    )


def edit_of(facts: Facts, ranked: Ranked) -> int | None:
    """Return the edit that stands for a group; None where none can."""
    if ranked.group.kind in _WITHOUT_EDIT:
        return None
    weights = weights_of(facts, ranked)
    along = {edit: weight for edit, weight in weights.items() if weight * ranked.delta > 0}
    if along:
        return max(along, key=lambda edit: abs(along[edit]))
    candidates = _candidates(facts, ranked.group)
    pointed = [edit for edit in candidates if edit in weights]
    if pointed:
        return max(pointed, key=lambda edit: abs(weights[edit]))
    above = _above(facts, ranked, candidates)
    return above if above is not None else next(iter(candidates), None)


def weights_of(facts: Facts, ranked: Ranked) -> dict[int, float]:
    """Return what each edit of a group stands for, work that moved between them cancelled."""
    by_callee: dict[str | None, dict[int | None, float]] = defaultdict(lambda: defaultdict(float))
    for part in ranked.parts:
        by_callee[part.item.callee][part.edit] += part.item.delta
    weights: dict[int, float] = defaultdict(float)
    for edits in by_callee.values():
        whole = sum(edits.values())
        along = sum(weight for weight in edits.values() if weight * whole > 0)
        for edit, weight in edits.items():
            if weight * whole > 0 and edit is not None and edit not in facts.changes.inert:
                weights[edit] += weight / along * whole
    return dict(weights)


def _candidates(facts: Facts, group: Group) -> list[int]:
    if group.edit is not None:
        return [group.edit]
    return list(facts.changes.edits_of.get(group.function, ())) if group.function else []


def _above(facts: Facts, ranked: Ranked, candidates: list[int]) -> int | None:
    """Return the nearest edit above the largest item, one that ran before one that didn't."""
    place = max(ranked.parts, key=lambda part: abs(part.item.delta)).item.place
    if place.edit is not None:
        return None
    edits = facts.changes.edits
    above = [
        edit
        for edit in candidates
        if edits[edit].new == place.file and edits[edit].new_first <= place.line
    ]
    live = [e for e in above if e in facts.ran.edits or e in facts.changes.directives]
    return max(live or above, key=lambda edit: edits[edit].new_first, default=None)
