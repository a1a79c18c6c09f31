"""What is asked of `explaining.python.explain`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from countci.counting import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Why does a Python query cost more, or less, on head than on base?"""

    query: str
    """Its id."""
    base: Trace
    head: Trace
    diff: str
    """Of `git diff -U0 -M --histogram --ignore-space-at-eol --no-color --no-ext-diff BASE HEAD`."""
    totals: tuple[float, float]
    """Instructions of an ask on both sides, as they were counted."""
    source: Callable[[str], str | None]
    """The text of a file of head's tree, by path below the top; None when there is none."""

    @property
    def delta(self) -> float:
        """Instructions of an ask, head - base."""
        return self.totals[1] - self.totals[0]
