"""One query, counted on the side that is on the stage."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from countci import process
from countci.counting import cachegrind, shims
from countci.counting.causes import causes
from countci.counting.points import WHOLE, Plan, last_point, probe
from countci.counting.readset import Trace, read_set
from countci.counting.run import Ran, prepared, run
from countci.errors import MeasureError
from countci.model import INSTRUCTIONS, Counts, Measurement, Point, Reason
from countci.process import Command
from countci.units import Seconds

Asks: TypeAlias = Callable[[int], Command]
"""The command that asks a query n times; n is ignored by one that doesn't repeat."""
_SHOWN = 5
_one_at_a_time = threading.Lock()
"""For timed processes: starting one changes countci's own working directory for a moment."""
_START = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What is to be counted."""

    query: str
    build: str
    """Key of the build that is on the stage."""
    fingerprint: str
    """Digest of the fingerprint."""
    asks: Asks
    repeats: bool
    """Whether the command takes n; otherwise it is counted as a whole process."""
    stage: Path
    folder: Path
    """Is made for the runs and removed after them. Its path is part of what a program sees:
    of equal length for both sides."""
    points: tuple[int, ...] | None = None
    """The n of each point, as on the other side; None chooses them."""
    trace: bool = False
    """Find out what it reads."""
    forks: Callable[[], Path | None] = lambda: None
    """Makes the library by which forked children are counted apart; None when it can't be."""
    counter: Literal["cachegrind", "callgrind"] | None = None
    """As on the other side; None takes callgrind only where it has to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A query's measurement, and what was seen on the way."""

    measurement: Measurement
    notes: tuple[Reason, ...] = ()
    ended: float = 0.0
    """When its first run did, on the clock of `time.monotonic`."""


def count(work: Count, runs: Executor) -> Counted:
    """Return the instructions of one query.

    Args:
        work: the query.
        runs: where processes are run, some at a time.

    Raises:
        UsageError: its command would count another program.
        MeasureError: it can't be run, or not be counted.
    """
    command = work.asks(1)
    valgrind = cachegrind.find(command.env, command.cwd)
    shims.refuse(command.argv, _look(command))
    shutil.rmtree(work.folder, ignore_errors=True)
    try:
        plan = runs.submit(_plan, work).result()
        points, first = _count(work, plan, runs, valgrind)
        _check_slope(points, command)
        trace = _trace(work, first) if work.trace else None
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)
    measurement = Measurement(
        query=work.query,
        build=work.build,
        fingerprint=work.fingerprint,
        counts={INSTRUCTIONS.name: Counts(points=points)},
        output=first.output,
        reads=trace.reads if trace else None,
        processes=first.family.programs,
        causes=causes(bytes(first.log.data)) if work.trace else (),
    )
    return Counted(measurement=measurement, notes=_notes(trace), ended=first.ended)


def _look(command: Command) -> shims.Look:
    which = partial(process.which, env=command.env, cwd=command.cwd)
    return shims.Look(which=which, read=_first_bytes)


def _first_bytes(path: Path) -> bytes | None:
    try:
        with path.open("rb") as stream:
            return stream.read(_START)
    except OSError:
        return None


def _plan(work: Count) -> Plan:
    if work.points is not None:
        return Plan(points=work.points)
    return probe(partial(_cpu_time, work)) if work.repeats else WHOLE


def _cpu_time(work: Count, n: int) -> Seconds:
    """Run n asks natively and return the CPU time."""
    folder = work.folder / f"native{n}"
    errors = folder / "stderr"
    command = replace(prepared(work.asks(n), folder), stderr=errors)
    with _one_at_a_time:
        spent = process.timed(command)
    process.raise_for_status(spent.status, work.asks(n), errors.read_text(errors="replace"))
    return Seconds(spent.user + spent.system)


def _count(work: Count, plan: Plan, runs: Executor, valgrind: str) -> tuple[tuple[Point, ...], Ran]:
    """Return the points, and the run of the first, which is the one that is traced."""
    start = partial(_start, work, runs, valgrind)
    first, *rest = plan.points
    done = _finish([start(first, trace=work.trace), *(start(n, trace=False) for n in rest)])
    points = [_point(n, ran) for n, ran in zip(plan.points, done, strict=True)]
    if plan.grows:
        n = last_point(plan, (points[0].total, points[1].total))
        points.append(_point(n, *_finish([start(n, trace=False)])))
    return tuple(points), done[0]


def _point(n: int, ran: Ran) -> Point:
    return Point(n=n, total=ran.family.total)


def _start(work: Count, runs: Executor, valgrind: str, n: int, *, trace: bool) -> Future[Ran]:
    folder = work.folder / f"{n:08}"  # of equal length, whatever n
    return runs.submit(run, work.asks(n), folder, trace=trace, valgrind=valgrind)


def _finish(started: Sequence[Future[Ran]]) -> list[Ran]:
    # All of them end first, since they share a folder that goes when one has failed. Not by
    # `wait`, which a future that was cancelled never wakes.
    for each in started:
        each.exception()
    return [each.result() for each in started]


def _check_slope(points: Sequence[Point], command: Command) -> None:
    if len(points) == 1:
        return
    before, last = points[-2:]
    if last.total - before.total < last.n - before.n:  # less than an instruction an ask
        raise MeasureError(
            f"{last.n} asks take {last.total:,} instructions, {before.n} asks {before.total:,}: "
            "more asks are no more work",
            where=command.line,
            detail="{n} in the command must say how often the query's work is done",
        )


def _trace(work: Count, ran: Ran) -> Trace:
    command = work.asks(1)
    return read_set(
        bytes(ran.log.data),
        stage=work.stage,
        cwd=command.cwd,
        program=cachegrind.program(command),
        cut=ran.log.cut,
    )


def _notes(trace: Trace | None) -> tuple[Reason, ...]:
    if trace is None or not trace.written:
        return ()
    names = ", ".join(trace.written[:_SHOWN])
    more = len(trace.written) - _SHOWN
    text = f"it writes into the tree, where its next run may see it: {names}"
    return (Reason(code="writes", text=f"{text} and {more} more" if more > 0 else text),)
