"""Compilers and flags of both builds, and the line of a build file that changes one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from countci.explaining.causes.facts import Facts
from countci.explaining.sources import is_source

_PROSE = (".md", ".rst", ".adoc")


def other_producers(facts: Facts) -> list[tuple[str, str]]:
    """Return compiler and flags of base and head, of each file where they differ."""
    base, head = (side.code.producers if side.code else {} for side in facts.sides)
    common = sorted(base.keys() & head.keys())
    return [(base[file], head[file]) for file in common if base[file] != head[file]]


def gone_and_new(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return what only one of two producers has: flags, and the compiler's name as one piece."""
    old, new = _split(before), _split(after)
    return [flag for flag in old if flag not in new], [flag for flag in new if flag not in old]


def edit_of_flags(facts: Facts) -> int | None:
    """Return the first edit, of no source and no prose, that adds or removes a changed flag."""
    gone, new = _changed(facts)
    for edit in facts.changes.edits:
        if is_source(edit.new) or edit.new.lower().endswith(_PROSE):
            continue
        if _first(edit.plus, new) is not None or _first(edit.minus, gone) is not None:
            return edit.id
    return None


def line_of_flags(facts: Facts, number: int) -> int | None:
    """Return the line of head on which an edit changes a flag; None if it leaves none."""
    edit = facts.changes.edits[number]
    if is_source(edit.new):
        return None
    gone, new = _changed(facts)
    at = _first(edit.plus, new)
    if at is None:
        at = _first(edit.minus, gone)
    if at is None or not edit.plus:
        return None
    return edit.new_first + min(at, len(edit.plus) - 1)


def _changed(facts: Facts) -> tuple[set[str], set[str]]:
    gone: set[str] = set()
    new: set[str] = set()
    for before, after in other_producers(facts):
        old, young = gone_and_new(before, after)
        gone.update(flag for flag in old if flag.startswith("-"))
        new.update(flag for flag in young if flag.startswith("-"))
    return gone, new


def _first(lines: Sequence[str], flags: Iterable[str]) -> int | None:
    """Return the place of the first line that holds one of the flags as a word."""
    words = "|".join(re.escape(flag) for flag in sorted(flags))
    if not words:
        return None
    word = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")
    return next((at for at, line in enumerate(lines) if word.search(line)), None)


def _split(producer: str) -> list[str]:
    return re.split(r"\s+(?=-)", producer) if " -" in producer else [producer]
