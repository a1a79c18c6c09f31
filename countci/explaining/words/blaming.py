"""The one hunk that is named."""

from __future__ import annotations

import countci.explaining.words.calling as calling
from countci.explaining.causes import Facts, Judgement
from countci.explaining.causes.group import Group
from countci.explaining.causes.ranking import Ranked
from countci.explaining.symbols import plain
from countci.explaining.words.placing import added, costs, hunk
from countci.explaining.words.titles import title
from countci.model import Blame, Hunk

_THROUGH = {
    "data": "unchanged code uses it",
    "heap-calls": "other calls of malloc and free",
    "heap-sizes": "other sizes are allocated",
    "heap-layout": "a type of another size is allocated",
    "heap": "malloc and free work otherwise since",
    "weak": "nearest change of some weight",
}

_MATTERS = 0.2
"""Of the cost of its hunk."""


def blame(facts: Facts, judgement: Judgement) -> Blame | None:
    """Return what is named for the difference; None when nothing can be."""
    verdict = judgement.verdict
    if verdict.edit is None:
        return None
    group = verdict.group
    place = hunk(facts, verdict.edit, group.function if group else None)
    other = None if judgement.other is None else hunk(facts, judgement.other)
    return Blame(
        hunk=place,
        sure=judgement.sure,
        other=other,
        title=title(facts, group) if group else "",
        words=_words(judgement, group),
        source=_source(facts, place, verdict.edit),
    )


def _words(judgement: Judgement, group: Group | None) -> str:
    verdict = judgement.verdict
    if verdict.inlined is not None:
        name = plain(verdict.inlined.inner)
        return f"calls of {name}, which is inlined differently since"
    ranked: Ranked | None = next((e for e in judgement.groups if e.group == group), None)
    phrase = calling.summary(ranked) if ranked else ""
    return "; ".join(part for part in (_THROUGH.get(verdict.how, ""), phrase) if part)


def _source(facts: Facts, place: Hunk, edit: int) -> str:
    """Return the first new line of a hunk that costs something; else the first that is code."""
    if place.removed:
        return ""
    spent = costs(facts, place.file, place.first, place.last)
    if new := added(facts, edit, place.first, place.last):
        spent = {line: cost for line, cost in spent.items() if line in new}
    enough = _MATTERS * sum(spent.values())
    lines = [line for line in sorted(spent) if spent[line] >= enough]
    for number in (*lines, *range(place.first, place.last + 1)):
        text = facts.head.line(place.file, number).strip()
        if any(letter.isalnum() for letter in text) and not text.startswith(("//", "/*", "*")):
            return text
    return ""
