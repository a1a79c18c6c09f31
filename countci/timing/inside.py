"""One timed run of a Python function: its process times itself, start-up and setup left out."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from countci import process
from countci.errors import MeasureError
from countci.model import Run
from countci.process import Command


def run(command: Command, *, out: Path) -> Run:
    """Return what the asks of one run cost, by the process's own clocks.

    Args:
        command: `inside/runner.py`, told to write to `out`.
        out: is removed first, and read.

    Raises:
        MeasureError: the function raises an exception, or the process ends without a word.

    Source:
        pyperf's way: many loops in one process, the monotonic clock around them.
    """
    out.unlink(missing_ok=True)
    began = time.time()
    # What it prints is not measured, and must not fill the disk's cache.
    finished = process.run(replace(command, stdout=Path("/dev/null")), check=False)
    if not out.exists():
        process.raise_for_status(finished.status or 1, command, finished.stderr)
    found = msgspec.json.decode(out.read_bytes(), type=dict[str, Any])
    if found["problem"] is not None:
        raise MeasureError(found["problem"], where=command.line, detail=found["detail"])
    return Run(
        wall=found["seconds"],
        user=found["cpu"],
        system=0.0,
        wait=found["wait"],
        voluntary=found["voluntary"],
        involuntary=found["involuntary"],
        faults=found["faults"],
        peak_memory=found["peak_memory"],
        began=began,
    )
