"""Everything that is known before an item is put down to a cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from countci.explaining.attributing import Attribution, Place
from countci.explaining.causes.group import SourceFunction
from countci.explaining.diff import Diff, Edit, LineMap
from countci.explaining.sides import Side
from countci.explaining.sources import ChangedNames, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What the diff changes."""

    diff: Diff
    lines: LineMap
    inert: frozenset[int]
    """Edits that can't change what runs."""
    functions_of: Mapping[int, tuple[SourceFunction, ...]]
    """By edit."""
    edits_of: Mapping[SourceFunction, tuple[int, ...]]
    """By changed function; inert ones are left out."""
    by_name: Mapping[str, tuple[SourceFunction, ...]]
    """Changed functions, by the name without namespaces."""
    removed_below: Mapping[tuple[str, int], int]
    """Edits that leave nothing, by file and the line before."""
    names: ChangedNames
    directives: frozenset[int]
    """Edits of `#if` and the like: what lies below them may be gone without being removed."""
    literals: frozenset[int]
    """Edits of a string or a number with a point: data that no instruction tells."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every hunk of the diff."""
        return self.diff.edits


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the machine code says, by name of head."""

    known: bool
    """False: it could not be read, and nothing is proven."""
    both: frozenset[str]
    """Functions on both sides."""
    either: frozenset[str]
    """Functions on one side at least."""
    differs: frozenset[str]
    """Functions whose code isn't the same on both sides, or that exist on one."""
    literals: frozenset[str]
    """Functions that use a changed string, number or table: their code is the same, its data
    isn't."""
    data: frozenset[str]
    """Names of tables whose bytes differ."""
    flags: bool
    """Compilers or their flags differ."""

    def same(self, function: str) -> bool:
        """Return whether a function does the same with the same data."""
        changed = function in self.differs or function in self.literals
        return function in self.both and not changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What ran in an ask, and where."""

    edits: frozenset[int]
    """Edits that have cost on one side."""
    functions: frozenset[str]
    """Machine functions, by name of head."""
    on_edits: frozenset[str]
    """Machine functions with cost on an edit."""
    compiled_in: Mapping[str, Counter[SourceFunction]]
    """Changed functions that have cost in a machine function."""
    uses: Mapping[str, Counter[int]]
    """Edits of macros, tables and constants that its lines name, by machine function."""
    reads: Mapping[SourceFunction, Counter[int]]
    """The same by function of the sources: data that decides how often its lines run."""
    alive: frozenset[SourceFunction]
    """Changed functions that have cost at head."""
    handles: Mapping[str, Counter[int]]
    """Edits of types with another layout that its lines or its own name mention, likewise."""
    start_up: Counter[SourceFunction]
    """Changed functions that run before the asks only."""
    project: frozenset[str]
    """Machine functions of the tree; others are libraries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All of it."""

    sides: tuple[Side, Side]
    trees: tuple[Tree, Tree]
    changes: Changes
    machine: Machine
    ran: Ran
    touched: frozenset[str]
    """Machine functions that differ, or have cost on an edit, and the allocator."""
    attribution: Attribution
    totals: tuple[float, float]

    @property
    def delta(self) -> float:
        """The whole difference, instructions of an ask."""
        return self.totals[1] - self.totals[0]

    @property
    def head(self) -> Tree:
        """The sources that places point at."""
        return self.trees[1]

    def source_function(self, place: Place) -> SourceFunction | None:
        """Return the function of head that a place lies in."""
        if place.edit is not None:
            return SourceFunction(place.file, place.function) if place.function else None
        found = self.head.function_at(place.file, place.line)
        return SourceFunction(place.file, found.name) if found else None

    def text(self, place: Place) -> str:
        """Return the line of head at a place."""
        return "" if place.edit is not None else self.head.line(place.file, place.line)
