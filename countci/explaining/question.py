"""What is asked of `explaining.explain`."""

from __future__ import annotations

from dataclasses import dataclass

from countci.explaining.sides import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Why does a query cost more, or less, on head than on base?"""

    query: str
    """Its id."""
    base: Side
    head: Side
    diff: str
    """Of `git diff -U0 -M --histogram -w --no-color --no-ext-diff BASE HEAD`."""
    totals: tuple[float, float] | None = None
    """Instructions of an ask on both sides, as they were counted; None: those of the graphs."""
