"""What each thread of a server did between two looks, by its name."""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from countci.model import ThreadUse
from countci.process import Member

Task: TypeAlias = tuple[int, int]
"""Process and thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One thread at one moment; all that it has used since it started."""

    name: str
    cpu: int
    """Nanoseconds on a processor."""
    waiting: int
    """Nanoseconds in the run queue."""
    voluntary: int
    involuntary: int


def threads_of(members: Iterable[Member], *, root: Path = Path("/proc")) -> dict[Task, Look]:
    """Return every thread of some processes.

    Source:
        `/proc/PID/status` counts the switches of the main thread alone; `task/*/status` has
        each thread's. `schedstat`: nanoseconds running, nanoseconds waiting to run.
    """
    found = {}
    for member in members:
        tasks = root / str(member.pid) / "task"
        with contextlib.suppress(OSError):
            for path in tasks.iterdir():
                with contextlib.suppress(OSError):  # it ended meanwhile
                    found[member.pid, int(path.name)] = _look(path)
    return found


def cpu_of(members: Iterable[Member], *, root: Path = Path("/proc")) -> tuple[float, float]:
    """Return seconds of CPU time, user's and system's; of threads that ended as well."""
    ticks = [0, 0]
    for member in members:
        with contextlib.suppress(OSError):
            fields = (root / str(member.pid) / "stat").read_text(errors="replace")
            times = [int(each) for each in fields.rpartition(")")[2].split()[11:15]]
            ticks[0] += times[0] + times[2]
            ticks[1] += times[1] + times[3]
    second = os.sysconf("SC_CLK_TCK")
    return ticks[0] / second, ticks[1] / second


def threads_between(
    before: Mapping[Task, Look], after: Mapping[Task, Look]
) -> tuple[ThreadUse, ...]:
    """Return what was used between two looks, threads of one name together, most CPU first.

    A thread that has ended by the second look is in neither.
    """
    groups: dict[str, list[tuple[Look, Look]]] = defaultdict(list)
    for task, last in after.items():
        first = before.get(task, Look(name="", cpu=0, waiting=0, voluntary=0, involuntary=0))
        groups[last.name].append((first, last))
    found = [_use(name, pairs) for name, pairs in groups.items()]
    return tuple(sorted(found, key=lambda use: (-use.cpu, use.name)))


def _use(name: str, pairs: list[tuple[Look, Look]]) -> ThreadUse:
    return ThreadUse(
        name=name,
        count=len(pairs),
        cpu=sum(last.cpu - first.cpu for first, last in pairs) / 1e9,
        waiting=sum(last.waiting - first.waiting for first, last in pairs) / 1e9,
        voluntary=sum(last.voluntary - first.voluntary for first, last in pairs),
        involuntary=sum(last.involuntary - first.involuntary for first, last in pairs),
    )


def _look(task: Path) -> Look:
    status = dict(
        line.split(":", 1) for line in (task / "status").read_text(errors="replace").splitlines()
    )
    running, waiting = (task / "schedstat").read_text().split()[:2]
    return Look(
        name=status["Name"].strip(),
        cpu=int(running),
        waiting=int(waiting),
        voluntary=int(status["voluntary_ctxt_switches"]),
        involuntary=int(status["nonvoluntary_ctxt_switches"]),
    )
