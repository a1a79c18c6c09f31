"""Groups as the causes of a report."""

from __future__ import annotations

from collections import defaultdict

from countci.explaining.causes import Facts, Judgement
from countci.explaining.causes.flags import edit_of_flags
from countci.explaining.causes.ranking import Ranked, edit_of, weights_of
from countci.explaining.words.details import details
from countci.explaining.words.inlining import inlining_function
from countci.explaining.words.outside import outside
from countci.explaining.words.placing import hunk
from countci.explaining.words.titles import title
from countci.model import Cause, CauseKind, Hunk

_MOST = 5
_WORTH = 0.04
"""Of the whole difference."""
_ON_CHANGES = 0.3


def causes(facts: Facts, judgement: Judgement) -> tuple[Cause, ...]:
    """Return at most five causes that are worth a line, in the order of the groups."""
    worth = [each for each in judgement.groups if abs(each.delta) >= _WORTH * abs(facts.delta)]
    return tuple(_cause(facts, judgement, each) for each in worth[:_MOST])


def _cause(facts: Facts, judgement: Judgement, ranked: Ranked) -> Cause:
    library = outside(facts, ranked)
    inlining = inlining_function(facts, judgement, ranked)
    kind = CauseKind.OUTSIDE if library else ranked.group.kind
    return Cause(
        kind=CauseKind.INLINING if inlining else kind,
        delta=ranked.delta,
        share=ranked.delta / facts.totals[0] if facts.totals[0] else 0.0,
        title=library.title if library else inlining or title(facts, ranked.group),
        hunks=_hunks(facts, judgement, ranked),
        words="not changed" if inlining else _words(facts, judgement, ranked),
        details=library.details if library else details(facts, judgement, ranked),
    )


def _edits(facts: Facts, judgement: Judgement, ranked: Ranked) -> list[int]:
    """Return the edits of a group, the named one first, then by weight."""
    if ranked.group.kind is CauseKind.FLAGS:
        flags = edit_of_flags(facts)
        return [] if flags is None else [flags]
    weights = weights_of(facts, ranked)
    along = [edit for edit in weights if weights[edit] * ranked.delta > 0]
    edits = sorted(along, key=lambda edit: -abs(weights[edit]))
    first = edit_of(facts, ranked)
    verdict = judgement.verdict
    if verdict.group == ranked.group and verdict.edit is not None:
        first = verdict.edit
    if ranked.group.function is None and ranked.group.edit is None:
        return []
    return list(dict.fromkeys([*([] if first is None else [first]), *edits]))


def _hunks(facts: Facts, judgement: Judgement, ranked: Ranked) -> tuple[Hunk, ...]:
    function = ranked.group.function
    every = (hunk(facts, edit, function) for edit in _edits(facts, judgement, ranked))
    return tuple(dict.fromkeys(every))


def _words(facts: Facts, judgement: Judgement, ranked: Ranked) -> str:
    kind = ranked.group.kind
    if kind is CauseKind.DEFINITION:
        return (
            "used by code that costs more" if ranked.delta > 0 else "used by code that costs less"
        )
    if kind is not CauseKind.CHANGED:
        return ""
    verdict = judgement.verdict
    if judgement.sure and verdict.group == ranked.group:
        return "caused by this change"
    if ranked.on_changes * ranked.delta > 0 and (
        abs(ranked.on_changes) > _ON_CHANGES * abs(ranked.delta)
    ):
        return "removed here" if _removes(facts, judgement, ranked) else "changed here"
    return _why(ranked) or "in a changed function"


def _why(ranked: Ranked) -> str:
    """Return how most of a cause lies to its change."""
    found: dict[str, float] = defaultdict(float)
    for part in ranked.parts:
        found[part.why] += part.item.delta * ranked.delta
    return max(found, key=lambda why: found[why])


def _removes(facts: Facts, judgement: Judgement, ranked: Ranked) -> bool:
    edits = _edits(facts, judgement, ranked)
    return bool(edits) and not facts.changes.edits[edits[0]].plus
