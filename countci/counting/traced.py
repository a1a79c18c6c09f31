"""One ask of a Python query, traced natively: what it calls, which lines and byte codes it runs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import msgspec

import countci.counting.cachegrind as cachegrind
from countci import process
from countci.counting.run import prepared
from countci.counting.segments import three, warm_for
from countci.counting.snapshots import Segmented
from countci.counting.suites import Suite
from countci.counting.traces import Trace, placed
from countci.errors import MeasureError
from countci.inside.plan import WARM
from countci.inside.plans import content_of
from countci.process import Command
from countci.units import Seconds


class _Found(msgspec.Struct, frozen=True):
    problem: str | None
    detail: str
    trace: Trace | None = None


class _Line(msgspec.Struct, frozen=True):
    test: str
    trace: Trace


def traced(work: Segmented | Suite) -> Trace:
    """Return what one ask executes, in the environment in which it is counted.

    Args:
        work: the request for a count: of a function, or of one test of a suite. Its points
            tell how many asks warm up; without them it is as many as most asks need.

    Raises:
        MeasureError: it can't be asked.
    """
    shutil.rmtree(work.folder, ignore_errors=True)
    work.folder.mkdir(parents=True)
    try:
        found = _of_test(work) if isinstance(work, Suite) else _of_function(work)
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)
    return placed(found, work.stage)


def _of_function(work: Segmented) -> Trace:
    out = work.folder / "trace.json"
    words = ("--trace", "--warm", str(_warm(work.points)), "--out", str(out))
    command = _native(work.runner(words), work.folder)
    finished = process.run(command, check=False)
    if not out.exists():
        process.raise_for_status(finished.status or 1, command, finished.stderr)
    found = msgspec.json.decode(out.read_bytes(), type=_Found)
    if found.trace is None:
        raise MeasureError(found.problem or "no trace", where=command.line, detail=found.detail)
    return found.trace


def _of_test(work: Suite) -> Trace:
    (pattern,) = work.patterns
    test = pattern.removeprefix(f"{work.query}/")
    out, folder = work.folder / "traces", work.folder
    plans, tests = folder / "plans", folder / "tests"
    points = work.points.get(test)
    plan = {test: (_warm(points), three(points))} if points else {}
    plans.write_bytes(content_of(plan))
    tests.write_bytes(msgspec.json.encode({"query": work.query, "patterns": work.patterns}))
    told = {
        "COUNTCI_OUT": str(folder / "lines"),
        "COUNTCI_TRACE": str(out),
        "COUNTCI_PLANS": str(plans),
        "COUNTCI_TESTS": str(tests),
    }
    command = _native(work.runner(told), folder)
    finished = process.run(command, check=False)
    for line in out.read_bytes().splitlines() if out.exists() else ():
        found = msgspec.json.decode(line, type=_Line)
        if found.test == test:
            return found.trace
    printed = (folder / "run" / "stdout").read_text(errors="replace") + finished.stderr
    raise MeasureError("the test was not traced", where=command.line, detail=printed[-2000:])


def _native(command: Command, folder: Path) -> Command:
    """Return the command with as much time as under cachegrind: tracing takes as long."""
    ready = prepared(command, folder / "run")
    timeout = ready.timeout and Seconds(ready.timeout * cachegrind.SLOWER["cachegrind"])
    return replace(ready, timeout=timeout)


def _warm(points: tuple[int, ...] | None) -> int:
    return warm_for(three(points)[0]) if points else WARM
