"""What has passed on this process's clocks."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple


class Passed(NamedTuple):
    """Seconds on three clocks, since the process began or between two readings."""

    wall: float
    cpu: float
    """User and system, of all threads."""
    wait: float
    """That the first thread was ready and had no processor; 0 where the kernel doesn't tell."""

    def since(self, before: Passed) -> Passed:
        """Return what has passed since an earlier reading."""
        return Passed(*(late - early for late, early in zip(self, before, strict=True)))

    @property
    def share(self) -> float:
        """Part of a processor that it used when it could have one; 1 for what is too short."""
        ready = self.wall - self.wait
        return self.cpu / ready if ready > 0.02 else 1.0


def now() -> Passed:
    """Return a reading of the clocks."""
    return Passed(time.perf_counter(), time.process_time(), _waited())


def _waited() -> float:
    # Source: kernel documentation, scheduler/sched-stats: nanoseconds on a processor, waiting.
    try:
        return int(Path("/proc/self/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
