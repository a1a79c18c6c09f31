"""Every step between two ends, by as few looks as halving takes. Pure.

Where the ends of a stretch differ, it is halved, and both halves are looked at: so several steps
are each found, but not two that cancel each other, for their ends are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Number = TypeVar("Number")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Two places that differ, and nothing between them that can be looked at."""

    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions(Generic[Number]):
    """What is asked of each place."""

    look: Callable[[int], Number | None]
    """Its number; None where it has none. Asked once a place."""
    differ: Callable[[Number, Number], bool]
    """Whether there is a step between two numbers."""


def steps(low: int, high: int, ask: Questions[Number]) -> tuple[Stretch, ...]:
    """Return where the steps are, from `low` to `high`, in order.

    Raises:
        ValueError: an end has no number.
    """
    seen: dict[int, Number | None] = {}

    def number(place: int) -> Number | None:
        if place not in seen:
            seen[place] = ask.look(place)
        return seen[place]

    first, last = number(low), number(high)
    if first is None or last is None:
        raise ValueError("both ends need a number")
    found: list[Stretch] = []
    waiting = [(low, first, high, last)]
    while waiting:
        left, before, right, after = waiting.pop()
        if not ask.differ(before, after):
            continue
        for place in _from_the_middle(left, right):
            middle = number(place)
            if middle is not None:
                # The last one that is put there is looked at first.
                waiting += [(place, middle, right, after), (left, before, place, middle)]
                break
        else:
            found.append(Stretch(left, right))
    return tuple(found)


def _from_the_middle(low: int, high: int) -> list[int]:
    """Return the places between, nearest to the middle first, as git goes around what is broken."""
    middle = (low + high) / 2
    return sorted(range(low + 1, high), key=lambda place: abs(place - middle))
