"""A question about a Python query, answered."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

import countci.explaining.diff as diffs
import countci.explaining.python.words as words
from countci.explaining.python.blaming import blame, blame_made
from countci.explaining.python.causing import Found, below, causes
from countci.explaining.python.charged import charged
from countci.explaining.python.charging import outermost
from countci.explaining.python.edits import Edits
from countci.explaining.python.flow import flow
from countci.explaining.python.question import Question
from countci.model import Blame, Cause, Explanation, Reason

_MOST = 5


def explain(question: Question) -> Explanation:
    """Return where a difference comes from: functions, and the hunk to blame."""
    diff = diffs.parse(question.diff)
    both = flow(question.base, question.head, diff)
    edits = Edits(diff, both, question.source)
    divided = charged(question, both)
    if divided is None:
        return _answer(question, (below(question, edits),), blame_made(edits), ())
    found = Found(question=question, flow=both, edits=edits, charged=divided)
    named, blamed = causes(found), blame(found)
    if blamed is not None and blamed.sure:
        named = (replace(named[0], words="caused by this change"), *named[1:])
    return _answer(question, named, blamed, _notes(found, named))


def _answer(
    question: Question, found: Sequence[Cause], blamed: Blame | None, notes: tuple[Reason, ...]
) -> Explanation:
    return Explanation(
        query=question.query,
        base=question.totals[0],
        head=question.totals[1],
        causes=tuple(found),
        rest=question.delta - sum(cause.delta for cause in found),
        blame=blamed,
        notes=notes,
    )


def _notes(found: Found, named: Sequence[Cause]) -> tuple[Reason, ...]:
    notes = []
    if len(named) > 1:
        text = f"instructions are divided over Python functions by {found.flow.unit}: an estimate"
        notes.append(Reason(code="estimated", text=text))
    if found.flow.unit == "lines":
        text = "an ask takes long, so that its lines were counted, and not its byte codes"
        notes.append(Reason(code="lines-only", text=text))
    titles = {cause.title for cause in named}
    around = outermost(found.flow)
    also = {
        words.title(pair): None
        for key, pair in found.flow.pairs.items()
        if pair.changed and around[key] == key and found.edits.within(pair)
    }
    others = [title for title in also if title not in titles]
    if others:
        more = f" and {len(others) - _MOST} more" if len(others) > _MOST else ""
        text = f"changed and run too: {', '.join(others[:_MOST])}{more}"
        notes.append(Reason(code="also-changed", text=text))
    return tuple(notes)
