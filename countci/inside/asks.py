"""Asks in groups between snapshots."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple

from .clocks import Passed, now
from .plan import SLEEPS, WARM, Plan, apart, counted, plan_for, plan_for_sleep
from .snapshot import SnapshotError, Snapshots

Call = Callable[[], Any]

# What runs after each ask. "each" counts the garbage that an ask leaves, and repeats exactly;
# a collector that is on moves small counts by up to half, by where its threshold falls.
COLLECTORS: Final[dict[str, Call]] = {"each": partial(gc.collect, 1), "off": int}


class Apart(NamedTuple):
    """An ask that needs something made before it, which isn't counted."""

    ask: Call
    undo: Call


class Segment(NamedTuple):
    """Some asks, and the pairs of snapshots that they lie between."""

    asks: int
    pairs: tuple[tuple[int, int], ...]
    """Process ids, before and after."""


class Counted(NamedTuple):
    """What was asked, and where its counts are."""

    plan: Plan
    segments: tuple[Segment, ...]
    empty: tuple[int, int] | None
    """A pair around nothing, to subtract from each pair; None: a segment's asks follow one
    another between one pair, whose cost the slope cancels.
    """
    first: Passed
    """What the first asks took."""
    result: Any
    """Of the last ask."""


def nothing() -> None:
    """Do nothing."""


def loop(ask: Call, n: int, settle: Call) -> Any:  # noqa: ANN401 - whatever the ask returns
    """Return the result of the last of n asks."""
    result = None
    for _ in repeat(None, n):
        result = ask()
        settle()
    return result


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Collect what there is, then keep the collector from running by itself."""
    enabled = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if enabled:
            gc.enable()


class Instrument:
    """Counts asks in this process."""

    def __init__(self, snapshots: Snapshots, collector: str, profiles: str | None) -> None:
        """Keep what is needed beside the ask.

        Args:
            snapshots: of this process.
            collector: a name of COLLECTORS.
            profiles: where cachegrind leaves its files, with `%p`; None: unknown, so that
                every count needs a plan.
        """
        self._snapshots = snapshots
        self._settle = COLLECTORS[collector]
        self._profiles = profiles

    def count(self, ask: Call, plan: Plan | None = None) -> Counted:
        """Count asks that follow one another; without a plan, the first asks make one.

        Raises:
            SnapshotError: a snapshot failed, or its profile isn't there.
            SleepError: an ask sleeps too long.
        """
        take, settle = self._snapshots.take, self._settle
        self._warm_up(lambda: loop(nothing, 1, settle))
        with quiet():
            first = self._first(lambda: loop(ask, 1, settle))
            plan = plan or self._plan(first)
            loop(ask, plan.warm - 2, settle)
            take()
            result = None
            for n in plan.points:
                result = loop(ask, n, settle)
                take()
        pids = self._snapshots.pids()[3:]
        pairs = list(pairwise(pids))
        segments = [Segment(n, (pair,)) for n, pair in zip(plan.points, pairs, strict=True)]
        return Counted(plan, tuple(segments), None, first, result)

    def count_apart(self, prepare: Callable[[], Apart], plan: Plan | None = None) -> Counted:
        """Count asks each of which is prepared; `prepare` and what undoes it aren't counted.

        Raises:
            SnapshotError: as for `count`.
            SleepError: an ask sleeps too long.
        """
        take, idle = self._snapshots.take, self._snapshots.idle
        self._warm_up(lambda: self._one(_empty, idle))
        with quiet():
            first = self._first(lambda: self._one(prepare, idle))
            plan = apart(plan or self._plan(first))
            for _ in repeat(None, plan.warm - 2):
                self._one(prepare, idle)
            self._one(_empty, take)
            result = None
            for _ in repeat(None, sum(plan.points)):
                result = self._one(prepare, take)
        pids = self._snapshots.pids()[3:]
        empty, *pairs = zip(pids[::2], pids[1::2], strict=True)
        return Counted(plan, _grouped(pairs, plan.points), empty, first, result)

    def _one(self, prepare: Callable[[], Apart], take: Call) -> Any:  # noqa: ANN401
        ask, undo = prepare()
        take()
        result = ask()
        take()
        undo()
        self._settle()
        return result

    def _warm_up(self, code: Call) -> None:
        """Use our own code: it, too, is specialised by its use."""
        self._snapshots.restart()
        for _ in repeat(None, 2 * WARM):
            code()
            self._snapshots.idle()

    def _first(self, ask: Call) -> Passed:
        """Return what the first ask took; it and the second lie between three snapshots.

        They are taken also when there is a plan: both sides must do the same.
        """
        take = self._snapshots.take
        take()
        before = now()
        ask()
        passed = now().since(before)
        take()
        ask()
        take()
        return passed

    def _plan(self, first: Passed) -> Plan:
        if first.share < SLEEPS:
            return plan_for_sleep(first.wall)
        _, start, end = self._snapshots.pids()
        counts = [counted(self._profiles or "", pid) for pid in (start, end)]
        if counts[0] is None or counts[1] is None:
            raise SnapshotError(f"no profile of process {start}: not under cachegrind?")
        return plan_for(counts[1] - counts[0])


def _empty() -> Apart:
    return Apart(partial(nothing), nothing)


def _grouped(pairs: list[tuple[int, int]], points: tuple[int, ...]) -> tuple[Segment, ...]:
    found = []
    for n in points:
        found.append(Segment(n, tuple(pairs[:n])))
        pairs = pairs[n:]
    return tuple(found)
