"""From what functions are charged to causes that a person can read."""

from __future__ import annotations

from dataclasses import dataclass

import countci.explaining.python.words as words
from countci.explaining.diff import Edit
from countci.explaining.python.charged import Charged
from countci.explaining.python.edits import Edits
from countci.explaining.python.flow import Flow
from countci.explaining.python.pairing import Pair
from countci.explaining.python.question import Question
from countci.model import Cause, CauseKind

_LEAST = 0.04
"""Of the difference: less is no cause."""
_MOST = 5
_BELOW = (
    "the same functions, calls, lines and byte codes on both sides: the difference lies in"
    " data, C code, a dependency or the interpreter"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All that is known when causes are named."""

    question: Question
    flow: Flow
    edits: Edits
    charged: Charged

    def kind(self, key: str) -> tuple[CauseKind, tuple[Edit, ...], str]:
        """Return what a function moved for, the edits that it may be for, and words."""
        pair = self.flow.pairs[key]
        within = tuple(self.edits.within(pair))
        if within or (pair.changed and _in_tree(pair)):
            return CauseKind.CHANGED, within, "changed here" if pair.changed else "same function"
        if pair.changed:
            return CauseKind.OUTSIDE, (), "outside the diff: another version"
        uses = self.edits.of_names(pair.either.uses)
        if uses:
            return CauseKind.DEFINITION, tuple(edit for _, edit in uses), f"uses {uses[0][0]}"
        return CauseKind.SAME_CODE, (), "unchanged code, other data"


def causes(found: Found) -> tuple[Cause, ...]:
    """Return the causes: those of the difference's sign first, largest first."""
    delta = found.question.delta
    deltas = found.charged.deltas
    ranked = found.charged.ranked(delta)
    keys = [key for key in ranked if abs(deltas[key]) >= _LEAST * abs(delta)]
    return tuple(_cause(found, key) for key in keys[:_MOST])


def below(question: Question, edits: Edits) -> Cause:
    """Return the cause where nothing moved of what Python tells: data, or what is no Python."""
    made = edits.made()
    details = [_BELOW]
    if edits.others:
        details.append(f"changed, and no Python: {', '.join(edits.others[:5])}")
    return Cause(
        kind=CauseKind.DEFINITION if made else CauseKind.BELOW_PYTHON,
        delta=question.delta,
        share=_share(question, question.delta),
        title=", ".join(dict.fromkeys(name for name, _ in made[:3])) or "below Python",
        hunks=tuple(edits.hunk(edit) for _, edit in made),
        words="made at import" if made else "no Python code that an ask runs has changed",
        details=tuple(details),
    )


def _cause(found: Found, key: str) -> Cause:
    kind, edits, said = found.kind(key)
    delta = found.charged.deltas[key]
    return Cause(
        kind=kind,
        delta=delta,
        share=_share(found.question, delta),
        title=words.title(found.flow.pairs[key]),
        hunks=tuple(found.edits.hunk(edit) for edit in edits),
        words=said,
        details=words.details(found.flow, key),
    )


def _share(question: Question, delta: float) -> float:
    return delta / question.totals[0] if question.totals[0] else 0.0


def _in_tree(pair: Pair) -> bool:
    """Return whether it may be the project's: made at run time counts as such, too."""
    file = pair.either.file
    return not file.startswith("/") and "-packages/" not in file
