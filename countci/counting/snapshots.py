"""A Python function, counted between snapshots of one process.

The runner forks between two groups of asks, and the child leaves at once: cachegrind writes
what it inherited. The difference of two such profiles is what ran between them, so that
start-up, setup and exit are in no number, and one process gives all three points.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

import countci.counting.cachegrind as cachegrind
import countci.counting.failures as failures
from countci import process
from countci.counting.causes import causes
from countci.counting.engine import Counted, written
from countci.counting.listener import Log, listening
from countci.counting.profile import parse
from countci.counting.readset import LARGEST_LOG, read_set
from countci.counting.run import prepared
from countci.counting.segments import points, segments, three, warm_for
from countci.errors import MeasureError
from countci.model import INSTRUCTIONS, Counts, Measurement, Output, Point, Reason
from countci.process import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmented:
    """A function that is to be counted."""

    query: str
    build: str
    """Key of the build that is on the stage."""
    fingerprint: str
    """Digest of the fingerprint, allocator included."""
    runner: Callable[[Sequence[str]], Command]
    """The command that does what the words say."""
    flat: bool
    """The flat allocator is preloaded."""
    stage: Path
    folder: Path
    """Is made for the runs and removed after them; of equal length for both sides."""
    points: tuple[int, ...] | None = None
    """The asks of each segment that is wanted; None chooses them."""
    trace: bool = False
    """Find out what it reads."""
    counter: cachegrind.Tool | None = None
    """Nothing to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ran:
    found: dict[str, Any]
    """What the runner wrote."""
    points: tuple[Point, ...]
    log: Log
    ended: float


def count(work: Segmented, runs: Executor) -> Counted:
    """Return the instructions of one function.

    Args:
        work: the function.
        runs: where processes are run, some at a time.

    Raises:
        MeasureError: it raises an exception, or can't be counted.
    """
    shutil.rmtree(work.folder, ignore_errors=True)
    work.folder.mkdir(parents=True)
    try:
        chosen = runs.submit(_choose, work).result()
        ran = runs.submit(_run, work, chosen).result()
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)
    data = bytes(ran.log.data)
    command = work.runner(())
    trace = (
        read_set(
            data,
            stage=work.stage,
            cwd=command.cwd,
            program=cachegrind.program(command),
            cut=ran.log.cut,
        )
        if work.trace
        else None
    )
    digest, printed = ran.found["answer"]
    measurement = Measurement(
        query=work.query,
        build=work.build,
        fingerprint=work.fingerprint,
        counts={INSTRUCTIONS.name: Counts(points=ran.points, segments=True)},
        # What it returns is in the digest, so that an answer is never empty.
        output=Output(digest=digest, size=printed + 1),
        reads=trace.reads if trace else None,
        causes=causes(data) if work.trace else (),
    )
    notes = (*written(trace), *_notes(work, ran.found))
    return Counted(measurement=measurement, notes=notes, ended=ran.ended)


def _choose(work: Segmented) -> tuple[int, ...]:
    """Return the asks of all three segments."""
    if work.points is None:
        found = _asked(work, ("--probe",), work.folder / "probe")
        return segments(found["cpu"])[1]
    return three(work.points)  # a recount names only those that it needs


def _asked(work: Segmented, words: Sequence[str], folder: Path) -> dict[str, Any]:
    """Return what the runner wrote, natively."""
    out = work.folder / "found.json"
    command = prepared(work.runner((*words, "--out", str(out))), folder)
    finished = process.run(command, check=False)
    found = _written(out, command)
    if found is None:
        process.raise_for_status(finished.status or 1, command, finished.stderr)
        raise AssertionError("a status other than 0 raises")
    return found


def _run(work: Segmented, chosen: tuple[int, ...]) -> _Ran:
    out, folder = work.folder / "found.json", work.folder / "counted"
    out.unlink(missing_ok=True)
    asked = ("--points", ",".join(map(str, chosen)), "--warm", str(warm_for(chosen[0])))
    native = prepared(work.runner((*asked, "--out", str(out))), folder)
    valgrind = cachegrind.find(native.env, native.cwd)
    command = cachegrind.wrap(native, out=folder, trace=work.trace, valgrind=valgrind)
    with listening(folder / "log", LARGEST_LOG) as log:
        finished = process.run(command, check=False)
    ended = time.monotonic()
    found = _written(out, native)
    failures.check(finished, log.last, native)
    if found is None:
        raise MeasureError("the runner ended without a word", where=native.line)
    profiles = cachegrind.outputs(folder)

    def total_of(pid: int) -> int:
        if pid not in profiles:
            raise MeasureError("a snapshot left no count", where=native.line)
        return parse(profiles[pid].read_bytes(), name=profiles[pid].name).total

    counted = points(found["segments"], found["empty"], total_of)
    wanted = [point for point in counted if work.points is None or point.n in work.points]
    return _Ran(found=found, points=tuple(wanted), log=log, ended=ended)


def _written(out: Path, command: Command) -> dict[str, Any] | None:
    """Return what the runner wrote; None when it wrote nothing.

    Raises:
        MeasureError: the function could not be asked; with its traceback.
    """
    if not out.exists():
        return None
    found = msgspec.json.decode(out.read_bytes(), type=dict[str, Any])
    if found["problem"] is not None:
        raise MeasureError(found["problem"], where=command.line, detail=found["detail"])
    return found


def _notes(work: Segmented, found: dict[str, Any]) -> tuple[Reason, ...]:
    notes = [allocator(taken_up=found["flat"], preloaded=work.flat)]
    if found["threads"] > 1:
        notes.append(Reason(code="threads", text=f"{found['threads']} threads ran at the end"))
    if found["sleeps"]:
        notes.append(Reason(code="sleeps", text="it sleeps: what waits isn't counted"))
    return tuple(notes)


def allocator(*, taken_up: bool, preloaded: bool) -> Reason:
    """Return which allocator a Python process was counted with."""
    if taken_up:
        text = "allocator: flat, a model of Python's own"
    elif preloaded:
        text = "the flat allocator was not taken up: unrelated edits may move the count by 3 %"
    else:
        text = "without a C compiler, Python's own allocator: unrelated edits may move it by 3 %"
    return Reason(code="allocator", text=text)
