"""The one hunk that is named, and how sure that is."""

from __future__ import annotations

import countci.explaining.python.words as words
from countci.explaining.diff import Edit
from countci.explaining.python.causing import Found
from countci.explaining.python.charging import outermost
from countci.explaining.python.edits import Edits
from countci.model import Blame, CauseKind

_MOST_OF_IT = 0.8
_QUIET = (".md", ".rst", ".txt")
"""Files that no program runs."""


def blame(found: Found) -> Blame | None:
    """Return the hunk to blame; None where none can be named.

    Sure: nearly all of the difference is charged to one changed function, which is called as
    often as before, as are all that call it; and its hunk is the only one, or most ran there.
    Otherwise the largest changed function that ran is the most likely, then a name that what
    moved uses, then the only hunk outside of functions.
    """
    top = found.charged.ranked(found.question.delta)[0]
    kind, edits, _ = found.kind(top)
    if kind is CauseKind.CHANGED and edits:
        return _blamed(found, top, edits, sure=_sure(found, top, edits))
    other = _changed_that_ran(found)
    if kind is CauseKind.DEFINITION:
        return _blamed(found, top, edits, sure=False)
    if other is not None:
        return _blamed(found, other, tuple(found.edits.within(found.flow.pairs[other])), sure=False)
    outside = tuple(found.edits.at_import())
    return _blamed(found, top, outside, sure=False) if len(outside) == 1 else None


def blame_made(edits: Edits) -> Blame | None:
    """Return the hunk to blame where no Python moved: it makes other data before an ask."""
    made = edits.made()
    if not made:
        return None
    (name, edit), *others = made
    return Blame(
        hunk=edits.hunk(edit),
        sure=False,
        other=edits.hunk(others[0][1]) if others else None,
        title=name,
        words="made at import",
        source=edits.text(edit),
    )


def _sure(found: Found, key: str, edits: tuple[Edit, ...]) -> bool:
    pair, charged = found.flow.pairs[key], found.charged
    whole = sum(abs(delta) for delta in charged.deltas.values())
    fits = charged.fits and charged.deltas[key] * found.question.delta > 0
    return (
        pair.changed
        and (fits or _only(found, key))
        and abs(charged.deltas[key]) >= _MOST_OF_IT * whole
        and pair.calls[0] == pair.calls[1]
        and _callers_rest(found, key)
        and _one(found, edits)
    )


def _only(found: Found, key: str) -> bool:
    """Return whether nothing else that ran, or that could run unseen, has changed."""
    around = outermost(found.flow)
    changed = {around[each] for each, pair in found.flow.pairs.items() if pair.changed}
    quiet = all(each.endswith(_QUIET) for each in found.edits.others)
    return {key} == changed | found.charged.deltas.keys() and quiet


def _callers_rest(found: Found, key: str) -> bool:
    """Return whether those that call it, and did not change, do what they did."""
    flow = found.flow
    callers = {caller for caller, callee in flow.calls if callee == key and caller is not None}
    return all(
        flow.pairs[each].changed or flow.pairs[each].calls[0] == flow.pairs[each].calls[1]
        for each in callers
    )


def _one(found: Found, edits: tuple[Edit, ...]) -> bool:
    moved = [abs(found.edits.moved(each)) for each in edits]
    return len(edits) == 1 or moved[0] >= _MOST_OF_IT * sum(moved) > 0


def _changed_that_ran(found: Found) -> str | None:
    """Return the changed function with a hunk that did most."""
    keys = [
        key
        for key, pair in found.flow.pairs.items()
        if pair.changed and any(pair.calls) and found.edits.within(pair)
    ]
    return max(keys, key=lambda key: max(found.flow.costs[key]), default=None)


def _blamed(found: Found, key: str, edits: tuple[Edit, ...], *, sure: bool) -> Blame:
    pair = found.flow.pairs[key]
    other = None if sure or len(edits) < 2 else found.edits.hunk(edits[1])
    return Blame(
        hunk=found.edits.hunk(edits[0]),
        sure=sure,
        other=other,
        title=words.title(pair),
        words="; ".join(words.details(found.flow, key)[:2]),
        source=found.edits.text(edits[0]),
    )
