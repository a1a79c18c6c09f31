"""What is to be counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from countci.counting.cachegrind import Tool
from countci.process import Command

Asks: TypeAlias = Callable[[int], Command]
"""The command that asks a query n times; n is ignored by one that doesn't repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What is to be counted."""

    query: str
    build: str
    """Key of the build that is on the stage."""
    fingerprint: str
    """Digest of the fingerprint."""
    asks: Asks
    repeats: bool
    """Whether the command takes n; otherwise it is counted as a whole process."""
    stage: Path
    folder: Path
    """Is made for the runs and removed after them. Its path is part of what a program sees:
    of equal length for both sides."""
    points: tuple[int, ...] | None = None
    """The n of each point, as on the other side; None chooses them."""
    trace: bool = False
    """Find out what it reads."""
    forks: Callable[[], Path | None] = lambda: None
    """Makes the library by which forked children are counted apart; None when it can't be."""
    counter: Tool | None = None
    """As on the other side; None takes callgrind only where it has to."""
