"""What has passed on this process's clocks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import NamedTuple


class Passed(NamedTuple):
    """Seconds on three clocks, since the process began or between two readings."""

    wall: float
    cpu: float
    """User and system, of all threads."""
    wait: float
    """That the first thread was ready and had no processor; 0 where the kernel doesn't tell."""


def now() -> Passed:
    """Return a reading of the clocks, to be given to `since`."""
    return Passed(time.perf_counter(), time.process_time(), _waited())


def since(before: Passed) -> Passed:
    """Return what has passed since an earlier reading.

    Read the other way round: what is waited is waited while the wall clock is looked at, and
    never more than that clock saw.
    """
    wait, cpu, wall = _waited(), time.process_time(), time.perf_counter()
    return Passed(wall - before.wall, cpu - before.cpu, wait - before.wait)


class Ask(NamedTuple):
    """What one ask took. Measured without leaving a trace in memory that differs by the time."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds."""
    pauses: int
    """How often it gave its processor away to wait for something."""

    @property
    def sleeps(self) -> bool:
        """Whether it waited most of the time, and not only for its turn."""
        return self.wall > 0.02 and self.pauses > 0 and self.cpu < 0.05 * self.wall


def ask_of(call: Callable[[], object]) -> Ask:
    """Return what a call took."""
    pauses = getrusage(RUSAGE_SELF).ru_nvcsw
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Ask(wall, cpu, getrusage(RUSAGE_SELF).ru_nvcsw - pauses)


def _waited() -> float:
    # Source: kernel documentation, scheduler/sched-stats: nanoseconds on a processor, waiting.
    try:
        return int(Path("/proc/self/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
