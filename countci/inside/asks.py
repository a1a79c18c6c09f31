"""Asks in groups between snapshots."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple

from .clocks import Ask, ask_of
from .plan import (
    ENOUGH,
    MOST,
    SNAPSHOT,
    WARM,
    Plan,
    apart,
    counted,
    plan_for,
    plan_for_sleep,
    warm_up,
)
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
    first: Ask
    """What the first ask took."""


class _Trial(NamedTuple):
    plan: Plan
    first: Ask


def nothing() -> None:
    """Do nothing."""


def loop(ask: Call, n: int, settle: Call) -> None:
    """Ask n times. Results are dropped at once, so that each ask finds the memory of the last."""
    for _ in repeat(None, n):
        ask()
        settle()


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
            trial = self._try(lambda n: loop(ask, n, settle))
            plan = plan or trial.plan
            loop(ask, warm_up(plan, sys.version_info[:2]), settle)
            take()
            for n in plan.points:
                loop(ask, n, settle)
                take()
        pairs = list(pairwise(self._snapshots.pids()[-1 - len(plan.points) :]))
        segments = [Segment(n, (pair,)) for n, pair in zip(plan.points, pairs, strict=True)]
        return Counted(plan, tuple(segments), None, trial.first)

    def count_apart(self, prepare: Callable[[], Apart], plan: Plan | None = None) -> Counted:
        """Count asks each of which is prepared; `prepare` and what undoes it aren't counted.

        Raises:
            SnapshotError: as for `count`.
            SleepError: an ask sleeps too long.
        """
        take, idle = self._snapshots.take, self._snapshots.idle
        self._warm_up(lambda: self._some(_empty, 1, idle))
        with quiet():
            trial = self._try(lambda n: self._some(prepare, n, idle))
            plan = apart(plan or trial.plan)
            self._some(prepare, plan.warm, idle)
            self._some(_empty, 1, take)
            self._some(prepare, sum(plan.points), take)
        pids = self._snapshots.pids()[-2 * sum(plan.points) - 2 :]
        empty, *pairs = zip(pids[::2], pids[1::2], strict=True)
        return Counted(plan, _grouped(pairs, plan.points), empty, trial.first)

    def _some(self, prepare: Callable[[], Apart], n: int, take: Call) -> None:
        for _ in repeat(None, n):
            ask, undo = prepare()
            take()
            ask()
            take()
            undo()
            self._settle()

    def _warm_up(self, code: Call) -> None:
        """Use our own code: it, too, is specialised by its use."""
        self._snapshots.restart()
        for _ in repeat(None, 2 * WARM):
            code()
            self._snapshots.idle()

    def _try(self, group: Callable[[int], None]) -> _Trial:
        """Return a plan that the first asks suggest.

        They are made also when there is a plan already: both sides must do the same.
        """
        first = ask_of(lambda: group(1))
        if first.sleeps:  # once more: a busy machine may have kept it waiting
            first = ask_of(lambda: group(1))
        if first.sleeps:
            return _Trial(plan_for_sleep(first.wall), first)
        n = 1
        price = self._price(group, n)
        while price < ENOUGH / 8 and n < MOST / 16:
            n *= 16
            price = self._price(group, n)
        return _Trial(plan_for(price / n), first)

    def _price(self, group: Callable[[int], None], n: int) -> int:
        """Return what n asks cost, in instructions; a guess where that can't be known."""
        take = self._snapshots.take
        take()
        group(n)
        take()
        if self._profiles is None:
            return ENOUGH
        start, end = (counted(self._profiles, pid) for pid in self._snapshots.pids()[-2:])
        if start is None or end is None:
            raise SnapshotError(f"no profile like {self._profiles}: not under cachegrind?")
        return max(1, end - start - SNAPSHOT)


def _empty() -> Apart:
    return Apart(partial(nothing), nothing)


def _grouped(pairs: list[tuple[int, int]], points: tuple[int, ...]) -> tuple[Segment, ...]:
    found = []
    for n in points:
        found.append(Segment(n, tuple(pairs[:n])))
        pairs = pairs[n:]
    return tuple(found)
