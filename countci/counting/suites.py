"""A pytest suite, counted test by test in forked children of one process."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

import countci.counting.cachegrind as cachegrind
import countci.counting.failures as failures
import countci.counting.journal as journal
from countci import process
from countci.counting.causes import causes
from countci.counting.engine import written
from countci.counting.following import following
from countci.counting.journal import Journal, Line
from countci.counting.listener import Log, listening
from countci.counting.outcome import Outcome
from countci.counting.profile import parse
from countci.counting.readset import LARGEST_LOG, Trace, read_set
from countci.counting.run import prepared
from countci.counting.segments import three, warm_for
from countci.counting.snapshots import allocator
from countci.errors import MeasureError
from countci.inside.plans import content_of
from countci.model import INSTRUCTIONS, Counts, Measurement, Output, Point, Problem, Reason
from countci.process import Command
from countci.units import Seconds

_TAIL = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A suite, or some of its tests, that is to be counted."""

    query: str
    """Its id; a test's is below it."""
    label: str = ""
    """Behind each name of an outcome."""
    build: str
    """Key of the build that is on the stage."""
    fingerprint: str
    """Digest of the fingerprint, allocator included."""
    runner: Callable[[Mapping[str, str]], Command]
    """The command that does what the variables say."""
    flat: bool
    """The flat allocator is preloaded."""
    stage: Path
    folder: Path
    """Is made for the run and removed after it; of equal length for both sides."""
    jobs: int
    """Tests that are counted at a time."""
    timeout: Seconds
    """Of one test, natively."""
    patterns: tuple[str, ...] = ()
    """Which tests, by id; none: all of them."""
    points: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The asks of the segments that are wanted, by test; the others choose them."""
    trace: bool = False
    """Find out what it reads."""
    counter: cachegrind.Tool | None = None
    """Nothing to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ran:
    journal: Journal
    total: Callable[[int], int]
    """The count of a process."""
    log: Log
    ended: float
    trace: Trace | None


def count(
    work: Suite, runs: Executor, told: Callable[[int], None] = lambda _done: None
) -> dict[str, Outcome]:
    """Return what became of each test, by the id of its query, and of the suite by its own.

    Args:
        work: the suite.
        runs: where it runs.
        told: is called, from another thread, with the number of tests that are done.

    Raises:
        MeasureError: no test could be run.
    """
    shutil.rmtree(work.folder, ignore_errors=True)
    work.folder.mkdir(parents=True)
    try:
        with following(work.folder / "lines", told):
            ran = runs.submit(_run, work).result()
        lines = sorted(ran.journal.tests.items())  # they end in any order
        tests = {test: _outcome(work, ran, line) for test, line in lines}
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)
    named = {f"{work.query}/{test}{work.label}": each for test, each in tests.items()}
    return {f"{work.query}{work.label}": _whole(work, ran, tests), **named}


def _run(work: Suite) -> _Ran:
    out, folder = work.folder / "lines", work.folder / "counted"
    native = prepared(work.runner(_told(work, out, folder)), folder)
    valgrind = cachegrind.find(native.env, native.cwd)
    command = cachegrind.wrap(native, out=folder, trace=work.trace, valgrind=valgrind)
    with listening(folder / "log", LARGEST_LOG) as log:
        finished = process.run(command, check=False)
    ended = time.monotonic()
    found = _journal(out, folder / "stdout", native)
    failures.check(finished, log.last, native)
    if found is None:
        raise MeasureError("the suite was stopped half way", where=native.line)
    profiles = cachegrind.outputs(folder)

    def total_of(pid: int) -> int:
        if pid not in profiles:
            raise MeasureError("a snapshot left no count", where=native.line)
        return parse(profiles[pid].read_bytes(), name=profiles[pid].name).total

    return _Ran(
        journal=found,
        total=total_of,
        log=log,
        ended=ended,
        trace=_trace(work, log) if work.trace else None,
    )


def _told(work: Suite, out: Path, folder: Path) -> dict[str, str]:
    """Return what the suite is told, in variables of equal length for both sides."""
    plans, tests = work.folder / "plans", work.folder / "tests"
    whole = {test: three(points) for test, points in work.points.items()}
    plans.write_bytes(content_of({test: (warm_for(all_[0]), all_) for test, all_ in whole.items()}))
    tests.write_bytes(msgspec.json.encode({"query": work.query, "patterns": work.patterns}))
    return {
        "COUNTCI_OUT": str(out),
        "COUNTCI_PROFILES": f"{folder}/cg.%p",
        "COUNTCI_PLANS": str(plans),
        "COUNTCI_TESTS": str(tests),
        "COUNTCI_JOBS": str(work.jobs),
        "COUNTCI_TIMEOUT": str(round(work.timeout * cachegrind.SLOWER["cachegrind"])),
    }


def _journal(out: Path, printed: Path, native: Command) -> Journal | None:
    """Return what the suite wrote; None when that isn't whole.

    Raises:
        MeasureError: pytest could not begin; with what it printed.
    """
    if not out.exists():
        return None
    try:
        return journal.read(out.read_bytes(), where=native.line)
    except MeasureError as error:
        said = printed.read_text(errors="replace")[-_TAIL:].strip()
        detail = "\n".join(filter(None, [error.detail, said]))
        raise MeasureError(error.problem, where=error.where, detail=detail) from error


def _trace(work: Suite, log: Log) -> Trace:
    command = work.runner({})
    return read_set(
        bytes(log.data),
        stage=work.stage,
        cwd=command.cwd,
        program=cachegrind.program(command),
        cut=log.cut,
    )


def _outcome(work: Suite, ran: _Ran, line: Line) -> Outcome:
    if line.outcome == "skipped":
        return Outcome(skipped=line.why.removeprefix("Skipped: ") or "without a reason")
    if line.outcome != "passed":
        return Outcome(problem=_problem(line))
    try:
        points = line.points(ran.total)
    except MeasureError as error:
        return Outcome(problem=Problem.of(error))
    wanted = work.points.get(line.id)
    kept = tuple(point for point in points if wanted is None or point.n in wanted)
    notes = (
        allocator(taken_up=ran.journal.flat, preloaded=work.flat),
        *(Reason(code="test", text=text) for text in line.notes),
    )
    # What an ask returns is in the digest, so that an answer is never empty.
    output = Output(digest=line.answer, size=1)
    measurement = _measured(work, ran, f"{work.query}/{line.id}", kept, output)
    return Outcome(measurement=measurement, notes=notes, ended=ran.ended)


def _problem(line: Line) -> Problem:
    if line.outcome == "unused":
        return Problem(problem=line.why, where=line.id)
    words = line.why.strip().splitlines() or ["it failed"]
    return Problem(problem=words[-1], where=line.id, detail="\n".join(words[:-1]))


def _whole(work: Suite, ran: _Ran, tests: Mapping[str, Outcome]) -> Outcome:
    """Return what the store keeps of a run: which tests there are, and what all of them read."""
    skipped = {test: each.skipped for test, each in tests.items()}
    nothing = (Point(n=1, total=0),)  # it has no count of its own
    measurement = _measured(work, ran, work.query, nothing, Output(digest="", size=0))
    return Outcome(
        measurement=msgspec.structs.replace(measurement, tests=skipped), notes=written(ran.trace)
    )


def _measured(
    work: Suite, ran: _Ran, query: str, points: tuple[Point, ...], output: Output
) -> Measurement:
    return Measurement(
        query=query,
        build=work.build,
        fingerprint=work.fingerprint,
        counts={INSTRUCTIONS.name: Counts(points=points, segments=True)},
        output=output,
        reads=ran.trace.reads if ran.trace else None,
        causes=causes(bytes(ran.log.data)) if work.trace else (),
    )
