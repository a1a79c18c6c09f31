"""The most memory of a timed run, where that is less than countci's own."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from countci import process
from countci.model import Run
from countci.process import Command


def with_peak(run: Callable[[Command], Run]) -> Callable[[Command], Run]:
    """Return `run`, followed by a run of its own for the peak memory where that isn't known."""

    def measured(command: Command) -> Run:
        found = run(command)
        if found.peak_memory > process.own_peak():
            return found
        return replace(found, peak_memory=process.peak_memory(command))

    return measured
