"""Generated timed runs that resemble a shared two-core machine: noise, drift, bursts, waits."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass

import msgspec

from countci.judging import sampled
from countci.model import TIME, Change, Limit, Pair, Run, Samples
from countci.timing.order import blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """How restless it is. Shares are of a run's time."""

    quiet: float = 0.012
    """Standard deviation of the CPU time of one run after another."""
    drift: float = 0.004
    """Standard deviation of the step from run to run of what wanders (frequency, neighbours)."""
    pull: float = 0.02
    """How much of the wandering a run takes back."""
    bursts: float = 0.04
    """Chance for each run that a neighbour starts a burst of work."""
    length: float = 6.0
    """Runs that a burst lasts, on average."""
    slowed: float = 0.05
    """Mean rise of the CPU time inside a burst (caches are shared)."""
    waits: float = 0.35
    """Mean time in the run queue inside a burst."""
    load: float = 0.0
    """What another job costs every run from `load_starts` on, to the end."""
    load_starts: int = 0


RESTLESS = Machine()
CALM = Machine(quiet=0.008, drift=0.003, bursts=0.02)
ROUGH = Machine(quiet=0.02)
HEAVY = Machine(bursts=0.5, length=30.0, slowed=0.15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One query, timed until the rule had enough, and judged."""

    samples: Samples
    change: Change

    @property
    def pairs(self) -> int:
        """How many were run, the null control included."""
        return sum(
            len(block)
            for block in (self.samples.pairs, self.samples.confirming, self.samples.control)
        )


class Series:
    """One machine's runs, one after another. The base takes a second."""

    def __init__(self, seed: int, machine: Machine = RESTLESS) -> None:
        self._random = random.Random(seed)
        self._machine = machine
        self._wander = 0.0
        self._burst = 0
        self._runs = 0

    def run(self, factor: float) -> Run:
        """Return the next run of a program that takes `factor` seconds on a quiet machine."""
        machine, dice = self._machine, self._random
        self._wander = self._wander * (1 - machine.pull) + dice.gauss(0, machine.drift)
        if self._burst:
            self._burst -= 1
        elif dice.random() < machine.bursts:
            self._burst = 1 + int(dice.expovariate(1 / machine.length))
        log = self._wander + dice.gauss(0, machine.quiet)
        self._runs += 1
        if self._runs > machine.load_starts:
            log += math.log1p(machine.load)
        wait = 0.002 * dice.random()
        if self._burst:
            log += dice.expovariate(1 / machine.slowed)
            wait += dice.expovariate(1 / machine.waits)
        cpu = factor * math.exp(log)
        return Run(wall=cpu + factor * wait, user=cpu, system=0.0, wait=factor * wait)

    def pair(self, *, head: float, head_first: bool) -> Pair:
        """Return a pair whose head takes `head` times as long as its base."""
        if head_first:
            second = self.run(head)
            return Pair(base=self.run(1.0), head=second, head_first=True)
        first = self.run(1.0)
        return Pair(base=first, head=self.run(head), head_first=False)


def gate(seed: int, *, change: float, machine: Machine = RESTLESS, limit: Limit) -> Gate:
    """Return what the rule says of a head that takes `change` longer, on a machine of that seed."""
    series, order = Series(seed, machine), blocks(seed)
    samples = Samples(n=1, pairs=())
    while (missing := sampled.wanted(samples, limit, TIME)) is not None:
        factor = 1.0 if missing.block == "control" else 1 + change
        more = [
            series.pair(head=factor, head_first=head_first)
            for head_first in itertools.islice(order, missing.more)
        ]
        block = getattr(samples, missing.block) + tuple(more)
        samples = msgspec.structs.replace(samples, **{missing.block: block})
    return Gate(samples=samples, change=sampled.judge(samples, limit, TIME))
