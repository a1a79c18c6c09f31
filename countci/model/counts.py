"""Exact metrics of one query on one build."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from countci.model.frozen import Frozen


class Fingerprint(Frozen, frozen=True, kw_only=True):
    """What a count depends on beside build and query. Made by `counting.fingerprint`."""

    counter: str
    """Version of countci's way of counting; a change makes old counts unknown."""
    valgrind: str
    libc: str
    machine: str
    """Architecture, `x86_64`."""
    cpu: str
    """The tier that valgrind shows the program, at most AVX2: `x86-64-v3`."""
    stage: str
    """Path of the stage."""

    @property
    def platform(self) -> dict[str, str]:
        """All but the stage, by field: totals move with its path, slopes don't."""
        fields: dict[str, str] = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if name != "stage"}

    @property
    def digest(self) -> str:
        """16 hex digits."""
        import hashlib

        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


class Point(Frozen, frozen=True, kw_only=True):
    """One counted run."""

    n: int
    """Asks in it."""
    total: int
    """What was counted in the whole process tree."""


class Again(Frozen, frozen=True, kw_only=True):
    """An exact metric, counted once more on the same build: what its noise is read from."""

    points: tuple[Point, ...]
    """The smallest n alone, or the last two, which make a slope of their own."""
    seed: int = 0
    """0: in the same environment. Else with other hash seeds, and other `fixed` numbers."""


class Counts(Frozen, frozen=True, kw_only=True):
    """One exact metric of one query on one build: one to three points on a line."""

    points: tuple[Point, ...]
    """By rising n. One point only: a whole process, start-up included."""
    segments: bool = False
    """Points are groups of asks inside one process: start-up is in none of them."""
    again: tuple[Again, ...] = ()
    """In the order in which they were counted."""

    @property
    def per_ask(self) -> Fraction:
        """Slope of the last two points; the total when there is only one. Exact."""
        if len(self.points) == 1:
            return Fraction(self.points[0].total, self.points[0].n)
        before, last = self.points[-2:]
        return Fraction(last.total - before.total, last.n - before.n)

    @property
    def start_up(self) -> Fraction | None:
        """Intercept: everything around the asks; None where no point has it."""
        if self.segments or len(self.points) == 1:
            return None
        return self.points[0].total - self.points[0].n * self.per_ask

    @property
    def bend(self) -> float | None:
        """Slope of the first two points / `per_ask` - 1; None below three points."""
        if len(self.points) < 3 or not self.per_ask:
            return None
        first, second = self.points[:2]
        early = Fraction(second.total - first.total, second.n - first.n)
        return float(early / self.per_ask - 1)


class Output(Frozen, frozen=True, kw_only=True):
    """Standard output of the first counted run."""

    digest: str
    size: int
    """Bytes."""


class ReadSet(Frozen, frozen=True, kw_only=True):
    """Paths under the stage that a query touched, failed look-ups included."""

    paths: tuple[str, ...]
    """Relative to the stage, sorted; folders that were listed end with `/`."""
    outside: tuple[str, ...] = ()
    """Absolute paths elsewhere, failed look-ups included, sorted: libraries, an interpreter;
    folders that were listed end with `/`."""
    unknown: str = ""
    """Why it may not be all of them; empty when it is."""


class Measurement(Frozen, frozen=True, kw_only=True):
    """The exact metrics of one query on one build. Made by `counting`, or taken from the store."""

    query: str
    build: str
    """Key of the build."""
    fingerprint: str
    """Digest of the fingerprint; behind it and a space, the allocator of a Python query."""
    counts: dict[str, Counts]
    """By metric."""
    output: Output
    reads: ReadSet | None = None
    """None on the side where it was not traced."""
    processes: tuple[str, ...] = ()
    """The programs that were counted together, when more than one."""
    causes: tuple[str, ...] = ()
    """What it asks for that may move its count: `clock`, `random`, `pid`, `threads`."""
    counter: Literal["cachegrind", "callgrind"] = "cachegrind"
    """What counted: callgrind where children are forked without an exec."""
    stored: bool = False
    """It was known before this run."""
    tests: dict[str, str] = {}
    """Of a whole pytest suite: why each test was skipped, by its id; empty for a counted one."""

    @property
    def allocator(self) -> str:
        """The one that Python was counted with, `pymalloc` or a library; empty for a command."""
        return self.fingerprint.partition(" ")[2]
