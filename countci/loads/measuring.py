"""One run of a server under load: started, loaded, looked at, ended."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec.structs import replace as with_fields

from countci import process
from countci.errors import MeasureError
from countci.loads.client import client, closed, result_of
from countci.loads.result import Found, read
from countci.loads.sending import END, Turn, sent, wait_until_begun
from countci.loads.validity import invalid, starved
from countci.model import Run
from countci.model.servers import Load, ServerWork
from countci.process import Command
from countci.serving import (
    Serving,
    Started,
    busy,
    cpu_of,
    serve,
    threads_between,
    threads_of,
    wait_for_address,
)

_WARM = 50
"""Requests before the load: what a server makes at the first one is made."""
_SETTLE = 0.3
"""Seconds that a neighbour has to reach its full rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is run, the same on both sides but for the build on the stage."""

    name: str
    """Id of the query."""
    work: ServerWork
    """Its placeholders filled in."""
    more: tuple[tuple[str, ...], ...] = ()
    """Words of the servers behind the first one, which the command is."""
    scratch: Path


def measure(command: Command, trial: Trial, *, seed: int) -> Run:
    """Return what one load on a fresh server found; `invalid` tells what speaks against it.

    Args:
        command: of the first server.
        trial: what is sent to it.
        seed: of the arrivals: the same one for both runs of a pair.

    Raises:
        MeasureError: the server isn't ready, ends, fails requests, or leaves processes behind.
    """
    seats = seat(sorted(os.sched_getaffinity(0)), trial.work.load)
    with tempfile.TemporaryDirectory(prefix="countci-", dir=trial.scratch) as scratch:
        folder = Path(scratch)
        serving = Serving(
            commands=(command, *(replace(command, argv=words) for words in trial.more)),
            ready=trial.work.ready,
            within=trial.work.within,
            grace=trial.work.grace,
            name=trial.name,
            folder=folder,
            cpus=seats.server,
        )
        with serve(serving) as started:
            turn = Turn(processor=seats.load, seed=seed)
            run = _under_load(started, trial.work, command, folder, turn)
        return with_fields(run, remarks=tuple(started.remarks))


@dataclass(frozen=True, slots=True)
class Seats:
    """Which processors are whose; a load on -1 runs anywhere."""

    server: tuple[int, ...]
    load: int


def seat(processors: Collection[int], load: Load) -> Seats:
    """Return the last processor for the load, and the others for the server.

    Raises:
        MeasureError: there is one only, and an open loop needs it for itself.
    """
    *others, last = processors
    if others:
        return Seats(tuple(others), last)
    if load.loop == "open":
        raise MeasureError(
            "an open loop needs a processor for itself, and there is one only",
            detail='`load = "closed"` measures throughput here',
        )
    return Seats((), -1)


def _under_load(
    started: Started, work: ServerWork, command: Command, folder: Path, turn: Turn
) -> Run:
    first = closed(work.load, 1, requests=_WARM)
    with sent(first, command.env, folder, turn=turn) as warm:
        _refuse_nothing(work.load, warm)
    values: dict[str, float] = {}
    with _beside(work, folder, values):
        threads, cpu = threads_of(started.members()), cpu_of(started.members())
        began, others = time.time(), _Others(started)
        try:
            # Looked at while the connections are there: threads may end with them.
            with sent(work.load, command.env, folder, turn=turn) as found:
                used = threads_between(threads, threads_of(started.members()))
                after = cpu_of(started.members())
            reasons = invalid(work.load, found)
            # A neighbour is there to disturb.
            if work.load.loop == "open" and work.neighbour is None:
                reasons += tuple(starved(*others.until_now()))
        except MeasureError:
            started.check()  # a dead server is why requests failed
            raise
        started.check()
    return Run(
        wall=found.wall,
        user=max(0.0, after[0] - cpu[0]),
        system=max(0.0, after[1] - cpu[1]),
        wait=None,
        voluntary=sum(each.voluntary for each in used),
        involuntary=sum(each.involuntary for each in used),
        began=began,
        values={**_values(work.load, found), **values},
        threads=used,
        invalid=reasons,
    )


class _Others:
    """What other programs took of the processors that a server is bound to."""

    def __init__(self, started: Started) -> None:
        """Begin to look."""
        self._started = started
        self._before = self._look()

    def _look(self) -> tuple[float, float]:
        own = sum(cpu_of(self._started.members()))
        return busy(self._started.cpus) - own, time.monotonic()

    def until_now(self) -> tuple[float, float]:
        """Return the seconds that they had, and all that there were."""
        others, now = self._look()
        return others - self._before[0], (now - self._before[1]) * len(self._started.cpus)


def _refuse_nothing(load: Load, found: Found) -> None:
    """Raise a MeasureError if the server answered nothing at all."""
    if not found.answered:
        raise MeasureError(
            f"no request got a good answer: {found.error or 'none came in time'}", where=load.url
        )


@contextlib.contextmanager
def _beside(work: ServerWork, folder: Path, values: dict[str, float]) -> Iterator[None]:
    """Have a neighbour's load run during the block; its throughput is added to `values`."""
    load = work.neighbour
    if load is None:
        yield
        return
    wait_for_address(load.url, within=work.within)
    own = client(load, folder, seed=0, processor=-1, name="beside")
    with process.background(own, grace=END, mark=("COUNTCI_LOAD", "beside")) as running:
        wait_until_begun(running, own)
        time.sleep(_SETTLE)
        yield
        if result_of(folder, "beside").exists():
            raise MeasureError("the neighbour's load ended too early", where=load.url)
        running.stop(END)
    found = read(result_of(folder, "beside"))
    if found.errors:
        raise MeasureError(f"the neighbour's load failed: {found.error}", where=load.url)
    values["neighbour_throughput"] = found.rate


def _values(load: Load, found: Found) -> dict[str, float]:
    """Return every number of a run, by the names of its metrics and of what is kept beside."""
    if load.loop == "open":
        late = {f"lateness_{name}": seconds for name, seconds in found.lateness.items()}
        return {**found.latency, **late, "achieved_rate": found.achieved}
    told = {f"closed_{name}": seconds * 1e3 for name, seconds in found.latency.items()}  # ms
    return {"throughput": found.rate, **told}
