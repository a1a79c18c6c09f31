"""One thing that was looked at, and what it means for a measurement."""

from __future__ import annotations

import enum

from countci.model import Frozen


class Level(enum.Enum):
    """From best to worst."""

    OK = "ok"
    NOTE = "note"
    """A measurement works, but costs more, tells less or takes a choice worth knowing."""
    PROBLEM = "problem"
    """Nothing can be measured."""


class Finding(Frozen, frozen=True, kw_only=True):
    """What one check saw."""

    name: str
    """What was looked at: `valgrind`."""
    level: Level
    text: str
    """What was seen, and what follows from it."""
    remedy: str = ""
    """What to type or change; empty when there is nothing to do."""


def ok(name: str, text: str) -> Finding:
    """Return a finding that needs nothing."""
    return Finding(name=name, level=Level.OK, text=text)


def note(name: str, text: str, remedy: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(name=name, level=Level.NOTE, text=text, remedy=remedy)


def problem(name: str, text: str, remedy: str) -> Finding:
    """Return a finding that stops a measurement."""
    return Finding(name=name, level=Level.PROBLEM, text=text, remedy=remedy)
