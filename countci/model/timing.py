"""Timed runs, in pairs."""

from __future__ import annotations

from typing import Literal

from countci.model.frozen import Frozen
from countci.model.servers import ThreadUse


class Run(Frozen, frozen=True, kw_only=True):
    """One timed process. Made by `timing.run`. Times in seconds."""

    wall: float
    user: float
    system: float
    wait: float | None
    """Time spent waiting in the run queue; None when it can't be told (threads, children)."""
    voluntary: int = 0
    """Context switches that the process asked for (it waited for something)."""
    involuntary: int = 0
    faults: int = 0
    """Page faults, minor and major."""
    peak_memory: int = 0
    """Bytes."""
    processor: int = -1
    """The last one it ran on; -1 when unknown."""
    began: float = 0.0
    """Seconds since 1970."""
    values: dict[str, float] = {}
    """Sampled metrics beside time, read from the process's own output, by name."""
    threads: tuple[ThreadUse, ...] = ()
    """Of a server: what its threads used under load, by name."""
    invalid: tuple[str, ...] = ()
    """Why it says nothing about the build: the load was late, or failed; empty when it counts."""
    remarks: tuple[str, ...] = ()
    """What was seen beside the numbers."""

    @property
    def time(self) -> float:
        """Wall time less the time spent waiting in the run queue, in seconds."""
        return self.wall - (self.wait or 0.0)

    @property
    def core_share(self) -> float:
        """CPU time / wall time: 1 is a whole core."""
        return (self.user + self.system) / self.wall if self.wall else 0.0


class Pair(Frozen, frozen=True, kw_only=True):
    """One run of base and one of head, next to each other."""

    base: Run
    head: Run
    head_first: bool

    @property
    def valid(self) -> bool:
        """Whether both of its runs count."""
        return not (self.base.invalid or self.head.invalid)

    @property
    def on_wall_clock(self) -> bool:
        """Whether a run-queue wait is unknown: taking it off one of two would be a difference."""
        return self.base.wait is None or self.head.wait is None

    @property
    def times(self) -> tuple[float, float]:
        """Time of base and of head, in seconds, by the same clock."""
        if self.on_wall_clock:
            return self.base.wall, self.head.wall
        return self.base.time, self.head.time


class Samples(Frozen, frozen=True, kw_only=True):
    """All timed pairs of one query, in time order. Made by `timing.session`."""

    n: int
    """Asks in each run."""
    pairs: tuple[Pair, ...]
    """For the looks."""
    confirming: tuple[Pair, ...] = ()
    """The fresh block that a provisional failure asks for."""
    control: tuple[Pair, ...] = ()
    """Base against itself: the null control."""
    invalid: tuple[Pair, ...] = ()
    """Pairs with a run that doesn't count: kept, not judged, and run again."""


class Wanted(Frozen, frozen=True, kw_only=True):
    """Pairs that are missing before samples can be judged. Made by `judging.sampled.wanted`."""

    block: Literal["pairs", "confirming", "control"]
    """A field of `Samples`."""
    more: int
    """At least 1."""


class Recount(Frozen, frozen=True, kw_only=True):
    """A count that is missing before exact ones can be judged. Made by `judging.recounts`."""

    side: Literal["base", "head"]
    points: tuple[int, ...]
    """The n of each point."""
    seed: int = 0
    """As `Again` says it."""
    metric: str = "instructions"
    """What is counted; with it comes whatever the same tool counts."""
