"""Runs what lives in countci/inside as countci does: in a bare environment, under cachegrind."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from countci.counting.preloads import preload
from countci.counting.segments import points
from countci.model import Counts

INSIDE = Path(__file__).parents[2] / "countci" / "inside"
TOOLS = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
_SUMMARY = re.compile(rb"^summary: (\d+)$", re.MULTILINE)


def pythons() -> list[str]:
    """Return the interpreter that runs the tests, and one of each other version on PATH."""
    found = {sys.version_info[:2]: sys.executable}
    for minor in range(11, 15):
        path = shutil.which(f"python3.{minor}")
        # A shim is there for every version that somebody installed once; not all of them run.
        says = "import sys; print(sys.executable)"
        if path is None or (3, minor) in found:
            continue
        told = subprocess.run([path, "-c", says], capture_output=True, text=True, check=False)
        if told.returncode == 0:
            found[3, minor] = told.stdout.strip()
    return list(found.values())


@cache
def flat(folder: Path) -> Path:
    """Return the flat allocator."""
    library = preload("flat", folder, TOOLS)
    assert library is not None, "these tests need a compiler"
    return library


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the whole environment of a counted Python."""
    return {
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(folder),
        "PYTHONMALLOC": "malloc",
        "LD_PRELOAD": str(flat(folder.parent / "preloads")),
    } | more


def cachegrind(out: Path) -> list[str]:
    """Return the words before a counted command."""
    return [
        *("valgrind", "-q", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no"),
        *("--vex-guest-chase=no", "--trace-children=yes", "--vgdb=no"),
        f"--cachegrind-out-file={out}/cg.%p",
    ]


def total(out: Path, pid: int) -> int:
    """Return the count that a snapshot holds."""
    found = _SUMMARY.search((out / f"cg.{pid}").read_bytes())
    assert found is not None
    return int(found[1])


def counts(found: dict[str, Any], out: Path) -> Counts:
    """Return the points of a runner's file or a suite's line."""
    segments, empty = found["segments"], found["empty"]
    return Counts(points=points(segments, empty, lambda pid: total(out, pid)))


def bend(found: dict[str, Any], out: Path) -> float:
    """Return how far the third point leaves the line, as a share of the slope."""
    share = counts(found, out).bend
    assert share is not None
    return abs(share)


def per_ask(found: dict[str, Any], out: Path) -> Fraction:
    """Return instructions per ask."""
    return counts(found, out).per_ask


def run_function(
    words: list[str], out: Path, env: dict[str, str], *, python: str = sys.executable
) -> dict[str, Any]:
    """Return what runner.py wrote; it was counted unless it probes or times."""
    out.mkdir(parents=True)
    native = "--probe" in words or "--loops" in words
    runner = [python, str(INSIDE / "runner.py"), "--out", f"{out}/found.json"]
    profiles = [] if native else ["--profiles", f"{out}/cg.%p"]
    command = [*([] if native else cachegrind(out)), *runner, *profiles, *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    found: dict[str, Any] = json.loads((out / "found.json").read_text())
    assert (found["problem"] is not None) == (done.returncode == 1)
    return found
