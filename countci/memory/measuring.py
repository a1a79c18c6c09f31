"""One run of a memory query: a process for each number of steps, touched and read."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from countci import process
from countci.memory.held import Held, quiet, read
from countci.model import MemoryWork, Run, reading
from countci.process import Command
from countci.serving import Serving, Started, serve


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is started for one number of steps; placeholders filled in."""

    work: MemoryWork
    command: Command
    touch: tuple[Command, ...]


def measure(trials: Callable[[int], Trial], at: tuple[int, ...], *, name: str, folder: Path) -> Run:
    """Return what the processes held after each number of steps, as values of one run.

    Args:
        trials: gives what is started, by the number of steps.
        at: the numbers.
        name: of the query.
        folder: exists, and takes what they write.

    Raises:
        MeasureError: one can't be started, isn't ready or quiet in time, ends too early, or
            leaves something running.
    """
    began, start = time.time(), time.monotonic()
    values: dict[str, float] = {}
    for steps in at:
        found = _held(trials(steps), name, folder)
        values |= {reading(held, steps): number for held, number in asdict(found).items()}
    wall = time.monotonic() - start
    return Run(wall=wall, user=0.0, system=0.0, wait=None, began=began, values=values)


def _held(trial: Trial, name: str, folder: Path) -> Held:
    work, line = trial.work, trial.command.line
    serving = Serving(
        commands=(trial.command,),
        ready=work.ready,
        within=work.within,
        grace=work.grace,
        name=name,
        folder=folder,
    )
    with serve(serving) as started:
        for command in trial.touch:
            process.run(command)
        return quiet(partial(_look, started, line), within=work.within, name=line)


def _look(started: Started, line: str) -> Held:
    started.check()
    return read((member.pid for member in started.members()), name=line)
