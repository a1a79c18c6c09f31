"""The hunk to blame, and how sure that is; or none, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from countci.explaining.attributing import Inlined
from countci.explaining.causes.driving import same_bytes
from countci.explaining.causes.facts import Facts
from countci.explaining.causes.flags import edit_of_flags
from countci.explaining.causes.flips import flips
from countci.explaining.causes.group import Part, definition
from countci.explaining.causes.heap import group_of, mentioning, through_allocator
from countci.explaining.causes.putting import put
from countci.explaining.causes.ranking import Ranked, edit_of, ranked
from countci.explaining.causes.second import largest_on_changes
from countci.explaining.causes.verdicts import NOBODY, Verdict
from countci.explaining.symbols import plain
from countci.model import CauseKind

_WEAK = 1 / 3
"""Of the first group, which can't be blamed on a hunk: what another one needs."""
_SAME = (CauseKind.ALLOCATOR, CauseKind.SAME_CODE, CauseKind.COMPILED_DIFFERENTLY)
_COMPILER = (CauseKind.COMPILED_DIFFERENTLY, CauseKind.INLINING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Groups by weight, and the edit that is named for the difference."""

    groups: tuple[Ranked, ...]
    verdict: Verdict
    sure: bool
    """The second rule names the same edit, the machine code is known, and it doesn't depend on
    another edit how often the named one runs, as far as that can be told."""
    other: int | None
    """The edit that the second rule names, where it is another one."""
    inlined: tuple[Inlined, ...]
    """What is inlined on one side only, by cost."""


def judge(facts: Facts) -> Judgement:
    """Return what the difference is put down to."""
    seen = flips(facts)
    parts = [put(facts, seen, item) for item in facts.attribution.items]
    groups = ranked(parts, facts.delta)
    inlined = tuple(sorted((*seen, *facts.attribution.inlined), key=lambda each: -each.cost))
    verdict = _verdict(facts, groups, inlined) if groups else NOBODY
    second = largest_on_changes(facts)
    agree = verdict.edit is not None and verdict.edit == second
    return Judgement(
        groups=_renamed(groups, verdict),
        verdict=verdict,
        sure=agree and facts.machine.known and not _inlined_into_changes(facts, parts, verdict),
        other=second if not agree and verdict.edit is not None else None,
        inlined=inlined,
    )


def _inlined_into_changes(facts: Facts, parts: Sequence[Part], verdict: Verdict) -> bool:
    """Whether most of what the edit stands for was inlined beside other functions that changed.

    What is inlined is called nowhere, so that it isn't known how often it ran: an edit of the
    functions around it may ask for it more or less often.
    """
    edit = verdict.edit
    if edit is None:
        return False
    own = set(facts.changes.functions_of.get(edit, ()))
    names = {plain(each.name) for each in own}
    moved = inlined = 0.0
    for part in parts:
        if part.edit != edit:
            continue
        moved += abs(part.item.delta)
        beside = facts.ran.compiled_in.get(part.item.function, {}).keys() - own
        others = {other for each in beside for other in facts.changes.edits_of.get(each, ())}
        if others - {edit} and plain(part.item.function) not in names:
            inlined += abs(part.item.delta)
    return inlined > moved / 2


def _verdict(facts: Facts, groups: Sequence[Ranked], inlined: Sequence[Inlined]) -> Verdict:
    first = groups[0]
    kind = first.group.kind
    if not _code_of_an_ask_differs(facts) and facts.machine.known:
        table = _used_definition(facts)
        if table is not None:
            return Verdict(group=definition(table), edit=table, how="data")
        if kind in _SAME:
            return Verdict(group=first.group, how="likely-data" if facts.machine.data else "proven")
    if kind is CauseKind.ALLOCATOR:
        return through_allocator(facts, groups)
    if kind in _COMPILER and (by_call := _by_new_call(facts, inlined)):
        return by_call
    if kind in _COMPILER or kind is CauseKind.SAME_CODE:
        return _weak(facts, groups)
    flags = kind is CauseKind.FLAGS
    edit = edit_of_flags(facts) if flags else edit_of(facts, first)
    return Verdict(group=first.group, edit=edit, how="flags" if flags else "first")


def _code_of_an_ask_differs(facts: Facts) -> bool:
    code = facts.machine
    other = code.differs | code.literals | facts.ran.on_edits
    return bool(facts.ran.functions & other)


def _used_definition(facts: Facts) -> int | None:
    """Return the edit of the macro, table or constant that most of the cost is spent beside.

    A table whose bytes are the same on both sides is none.
    """
    weights: dict[int, float] = {}
    for counter in facts.ran.uses.values():
        for edit, weight in counter.items():
            if not same_bytes(facts, edit):
                weights[edit] = weights.get(edit, 0.0) + weight
    return max(weights, key=lambda edit: weights[edit]) if weights else None


def _by_new_call(facts: Facts, inlined: Sequence[Inlined]) -> Verdict | None:
    """Return the edit that adds, removes or redeclares a call of what is inlined elsewhere."""
    for flip in inlined:
        edit = mentioning(facts, flip.inner)
        if edit is not None:
            return Verdict(group=group_of(facts, edit), edit=edit, how="calls", inlined=flip)
    return None


def _weak(facts: Facts, groups: Sequence[Ranked]) -> Verdict:
    """Return another group when it is large enough; otherwise nobody."""
    first = groups[0]
    for each in groups[1:]:
        edit = edit_of(facts, each)
        strong = each.group.edit is None or each.group.edit in facts.changes.names.strong_edits
        enough = abs(each.delta) > _WEAK * abs(first.delta)
        if edit is not None and strong and enough and each.delta * facts.delta > 0:
            return Verdict(group=each.group, edit=edit, how="weak")
    if first.group.kind is CauseKind.SAME_CODE and facts.machine.known:
        table = _used_definition(facts)
        if table is not None:
            return Verdict(group=definition(table), edit=table, how="data")
    return Verdict(group=first.group)


def _renamed(groups: tuple[Ranked, ...], verdict: Verdict) -> tuple[Ranked, ...]:
    """Return the groups, the first as what it was found to be: a changed table, not other data."""
    group = verdict.group
    if group is None or verdict.how != "data" or group in {each.group for each in groups}:
        return groups
    return (replace(groups[0], group=group), *groups[1:])
