"""One query's paired runs: they alternate, alone on the machine, until the rule has enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

import msgspec

from countci.model import Pair, Run, Samples, Wanted
from countci.process import Command
from countci.progress import Progress
from countci.timing.order import blocks
from countci.timing.run import run

_MOST_INVALID = 12
"""Pairs that may be taken again: a machine on which more are needed is too busy to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One query to time."""

    query: str
    """Its id, for progress."""
    asks: Callable[[int], Command]
    """The command that does so many asks, whichever side is on the stage."""
    asks_of_head: Callable[[int], Command] | None = None
    """Head's own, where it is asked in another way; None: the same."""
    n: int
    """Asks in each run."""
    bring: Callable[[str], None]
    """Puts `base` or `head` on the stage; called before every run."""
    seed: int
    """Of the order of the pairs."""
    progress: Progress
    run: Callable[[Command], Run] = run
    turn: Callable[[int], None] = lambda _number: None
    """Is told the number of each pair before its runs: what draws lots draws the same for both."""


def collect(job: Job, wanted: Callable[[Samples], Wanted | None]) -> Samples:
    """Return as many pairs as `wanted` asks for, after one run a side that isn't recorded.

    A pair with an invalid run is kept apart and taken again; too many of them, and fewer are
    returned than are wanted.

    Raises:
        MeasureError: a run failed.
    """
    command = job.asks(job.n)
    own = job.asks_of_head(job.n) if job.asks_of_head else command
    commands = {"base": command, "head": own}
    for side in commands:
        _timed(job, commands, side)
    samples = Samples(n=job.n, pairs=())
    order = blocks(job.seed)
    while (missing := wanted(samples)) is not None and len(samples.invalid) < _MOST_INVALID:
        other = "base" if missing.block == "control" else "head"
        pairs: dict[bool, list[Pair]] = {True: [], False: []}
        for head_first in islice(order, missing.more):
            job.turn(_count(samples) + sum(map(len, pairs.values())))
            pair = _pair(job, commands, other, head_first=head_first)
            pairs[pair.valid].append(pair)
            done = _count(samples) + sum(map(len, pairs.values()))
            job.progress.advance(job.query, done, _count(samples) + missing.more)
            if len(samples.invalid) + len(pairs[False]) >= _MOST_INVALID:
                break
        block = getattr(samples, missing.block) + tuple(pairs[True])
        invalid = samples.invalid + tuple(pairs[False])
        samples = msgspec.structs.replace(samples, **{missing.block: block, "invalid": invalid})
    return samples


def _pair(job: Job, commands: Mapping[str, Command], other: str, *, head_first: bool) -> Pair:
    """Return a pair of base and `other`, which is base again in the null control."""
    if head_first:
        head = _timed(job, commands, other)
        return Pair(base=_timed(job, commands, "base"), head=head, head_first=True)
    base = _timed(job, commands, "base")
    return Pair(base=base, head=_timed(job, commands, other), head_first=False)


def _timed(job: Job, commands: Mapping[str, Command], side: str) -> Run:
    job.bring(side)
    return job.run(commands[side])


def _count(samples: Samples) -> int:
    blocks = (samples.pairs, samples.confirming, samples.control, samples.invalid)
    return sum(map(len, blocks))
