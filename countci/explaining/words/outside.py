"""Cost in libraries that unchanged code calls."""

from __future__ import annotations

from dataclasses import dataclass

from countci.explaining.causes import Facts
from countci.explaining.causes.ranking import Ranked
from countci.explaining.symbols import plain
from countci.explaining.words.calling import worth
from countci.explaining.words.deep import caller, deep
from countci.explaining.words.titles import NO_NAME, is_named

_MOSTLY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A cause that lies outside of the tree."""

    title: str
    details: tuple[str, ...]


def outside(facts: Facts, ranked: Ranked) -> Library | None:
    """Return what to say of unchanged code, when the libraries that it calls cost most of it."""
    libraries = [each for each in deep(facts, ranked) if each.name not in facts.ran.project]
    if sum(abs(each.delta) for each in libraries) < _MOSTLY * abs(ranked.delta) or not libraries:
        return None
    largest = libraries[0].name
    found = caller(facts, largest)
    from_where = ""
    if found:
        function, place = found
        at = f" ({place.file}:{place.line})" if place.line else ""
        from_where = f"called from {function}{at}"
    name = plain(largest) if is_named(largest) else NO_NAME
    return Library(
        title=f"outside the diff: {name}",
        details=(*worth(libraries, ranked.delta), *([from_where] if from_where else [])),
    )
