"""What an ask costs, by line and by call: the difference of two profiles of one build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Row(NamedTuple):
    """A line of a function, as the debug information has it."""

    file: str
    """Of the innermost inlined source line, below the top of the tree (`src/scan.c`); an
    absolute path outside it; `???` when unknown."""
    function: str
    """The machine function (the ELF symbol), demangled and cleaned of `.constprop.0` and the
    like."""
    line: int
    """0: code of no line."""


class Edge(NamedTuple):
    """A call."""

    row: Row
    callee: str
    """Cleaned, as `Row.function`."""


class Calls(NamedTuple):
    """What was called along an edge."""

    number: int
    inclusive: int
    """Instructions in the callee, and in what it calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostGraph:
    """The cost of `asks` asks, exactly: a run at n2 less a run at n1. Made by `counting`."""

    asks: int
    """n2 - n1; all numbers are of so many asks together."""
    own: Mapping[Row, int]
    """Instructions; rows that are 0 are left out."""
    calls: Mapping[Edge, Calls]
    start_up: frozenset[Row]
    """Rows that ran at n1 and cost nothing more at n2, of the files that were asked for."""
    objects: Mapping[str, str] = field(default_factory=dict)
    """Path of the executable or library that a function's code is in, by function; of several,
    the one in which it costs most."""

    @property
    def total(self) -> int:
        """Instructions of `asks` asks."""
        return sum(self.own.values())
