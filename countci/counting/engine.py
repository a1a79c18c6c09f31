"""One query, counted on the side that is on the stage."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import countci.counting.cachegrind as cachegrind
import countci.counting.shims as shims
from countci import process
from countci.counting.causes import causes
from countci.counting.points import WHOLE, Plan, probe
from countci.counting.readset import Trace, read_set
from countci.counting.request import Count
from countci.counting.run import Ran, prepared
from countci.counting.totals import totals
from countci.errors import MeasureError
from countci.model import INSTRUCTIONS, Counts, Measurement, Point, Reason
from countci.process import Command
from countci.units import Seconds

_SHOWN = 5
_one_at_a_time = threading.Lock()
"""For timed processes: starting one changes countci's own working directory for a moment."""
_START = 256


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
        counted = totals(work, plan, runs, valgrind)
        _check_slope(counted.points, command)
        trace = _trace(work, counted.first) if work.trace else None
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)
    first = counted.first
    measurement = Measurement(
        query=work.query,
        build=work.build,
        fingerprint=work.fingerprint,
        counts={INSTRUCTIONS.name: Counts(points=counted.points)},
        output=first.output,
        reads=trace.reads if trace else None,
        processes=first.family.programs,
        causes=causes(bytes(first.log.data)) if work.trace else (),
        counter=counted.counter.tool,
    )
    return Counted(measurement=measurement, notes=written(trace), ended=first.ended)


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
    if work.points is None:
        return probe(partial(_cpu_time, work)) if work.repeats else WHOLE
    if work.trace and work.repeats and not work.asks(1).driven:
        # As the other side was, to find its points. What hangs is known 25 times sooner so;
        # a server, which is driven, never ends by itself.
        _cpu_time(work, work.points[-1])
    return Plan(points=work.points)


def _cpu_time(work: Count, n: int) -> Seconds:
    """Run n asks natively and return the CPU time."""
    folder = work.folder / f"native{n}"
    errors = folder / "stderr"
    command = replace(prepared(work.asks(n), folder), stderr=errors)
    with _one_at_a_time:
        spent = process.timed(command)
    process.raise_for_status(spent.status, work.asks(n), errors.read_text(errors="replace"))
    return Seconds(spent.user + spent.system)


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


def written(trace: Trace | None) -> tuple[Reason, ...]:
    """Return that a query writes into the tree, if it does."""
    if trace is None or not trace.written:
        return ()
    names = ", ".join(trace.written[:_SHOWN])
    more = len(trace.written) - _SHOWN
    text = f"it writes into the tree, where its next run may see it: {names}"
    return (Reason(code="writes", text=f"{text} and {more} more" if more > 0 else text),)
