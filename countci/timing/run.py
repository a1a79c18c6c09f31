"""One timed process."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from countci import process
from countci.model import Run
from countci.process import Command

_TAIL = 4096


def run(command: Command, *, scratch: Path | None = None) -> Run:
    """Return what one run of `command` cost, alone, its output in fresh files below `scratch`.

    Without `scratch` they lie in the temporary folder; they are gone afterwards.

    Raises:
        MeasureError: it can't be started, takes too long, or ends with a status other than 0;
            with the end of its standard error.
    """
    with tempfile.TemporaryDirectory(prefix="countci-", dir=scratch) as folder:
        errors = Path(folder) / "stderr"
        stdout = command.stdout or Path(folder) / "stdout"
        began = time.time()
        spent = process.timed(replace(command, stdout=stdout, stderr=errors))
        if spent.status:
            process.raise_for_status(spent.status, command, _tail(errors))
    return Run(
        wall=spent.wall,
        user=spent.user,
        system=spent.system,
        wait=spent.wait,
        voluntary=spent.voluntary,
        involuntary=spent.involuntary,
        faults=spent.faults,
        peak_memory=spent.peak_memory,
        processor=spent.processor,
        began=began,
    )


def _tail(path: Path) -> str:
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - _TAIL))
        return stream.read().decode(errors="replace")
