"""Cost in libraries that unchanged code calls."""

from __future__ import annotations

from dataclasses import dataclass

from countci.explaining.causes import Facts, Part
from countci.explaining.causes.ranking import Ranked
from countci.explaining.symbols import plain
from countci.explaining.words.calling import sentences
from countci.model import CauseKind

_MOSTLY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A cause that lies outside of the tree."""

    title: str
    details: tuple[str, ...]


def outside(facts: Facts, ranked: Ranked) -> Library | None:
    """Return what to say of a group of unchanged code that is mostly a library's."""
    if ranked.group.kind is not CauseKind.SAME_CODE:
        return None
    of_libraries = [part for part in ranked.parts if _name(facts, part)]
    along = sum(part.item.delta for part in of_libraries)
    if along * ranked.delta <= 0 or abs(along) < _MOSTLY * abs(ranked.delta):
        return None
    largest = max(of_libraries, key=lambda part: abs(part.item.delta))
    item = largest.item
    called = f"called from {plain(item.function)}"
    if item.place.line and item.callee:
        called += f" ({item.place.file}:{item.place.line})"
    return Library(
        title=f"outside the diff: {_name(facts, largest)}",
        details=(*sentences(ranked), *([called] if item.callee else [])),
    )


def _name(facts: Facts, part: Part) -> str:
    """Return the library function that an item is spent in; empty when it is the tree's."""
    name = part.item.callee or part.item.function
    return "" if name in facts.ran.project else plain(name)
