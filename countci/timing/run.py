"""One timed process."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from countci import process
from countci.errors import MeasureError
from countci.model import Run
from countci.process import Command

_TAIL = 4096
_LONGEST = 16 * 2**20
"""Bytes of output that numbers are looked for in; more is a log."""


def run(
    command: Command,
    *,
    scratch: Path | None = None,
    source: str = "stdout",
    told: Callable[[str], Mapping[str, float]] | None = None,
) -> Run:
    """Return what one run of `command` cost, alone, its output in fresh files below `scratch`.

    Without `scratch` they lie in the temporary folder; they are gone afterwards.

    Args:
        command: what is run.
        scratch: a folder.
        source: what `told` reads: `stdout` or `stderr`.
        told: the metrics that the output tells, by name; None looks at nothing.

    Raises:
        MeasureError: it can't be started, takes too long, or ends with a status other than 0;
            with the end of its standard error. Or `told` can't read its output.
    """
    with tempfile.TemporaryDirectory(prefix="countci-", dir=scratch) as folder:
        errors = Path(folder) / "stderr"
        stdout = command.stdout or Path(folder) / "stdout"
        began = time.time()
        spent = process.timed(replace(command, stdout=stdout, stderr=errors))
        if spent.status:
            process.raise_for_status(spent.status, command, _tail(errors))
        values = {}
        if told is not None:
            values = _values(command, stdout if source == "stdout" else errors, told)
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
        values=values,
    )


def _values(
    command: Command, output: Path, told: Callable[[str], Mapping[str, float]]
) -> dict[str, float]:
    size = output.stat().st_size
    if size > _LONGEST:
        problem = f"it printed {size:,} bytes, where numbers are looked for in {_LONGEST:,}"
        raise MeasureError(problem, where=command.line)
    try:
        return dict(told(output.read_text(encoding="utf-8", errors="replace")))
    except MeasureError as error:
        raise MeasureError(error.problem, where=command.line, detail=error.detail) from error


def _tail(path: Path) -> str:
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - _TAIL))
        return stream.read().decode(errors="replace")
