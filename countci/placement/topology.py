"""Cores and their hardware threads, as the kernel tells them, cut with what may be used."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_CPUS = "devices/system/cpu"
_FULL = 1024
"""The capacity of a core as fast as any; what the kernel says where all are alike."""
_SMALL = 512
"""Of Intel's small cores, whose capacity only the newest kernels tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """A core that may be used."""

    threads: tuple[int, ...]
    """Numbers of its hardware threads that may be used; sorted, never empty."""
    package: int
    """The socket."""
    capacity: int
    """How fast it is beside the others: hybrid machines have several kinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """What this process may run on. Made by `read`."""

    cores: tuple[Core, ...]
    """Empty where the kernel tells nothing of cores."""
    threads: tuple[int, ...]
    """All hardware threads that may be used, whatever is known of their cores."""
    quota: float | None
    """Processors that the control group may use at a time; None without a limit."""


def here() -> Topology:
    """Return the topology of this machine, for this process."""
    try:
        groups = Path("/proc/self/cgroup").read_text()
    except OSError:
        groups = ""
    return read(Path("/sys"), os.sched_getaffinity(0), groups)


def read(root: Path, allowed: Collection[int], groups: str = "") -> Topology:
    """Return the topology below a root of sysfs.

    Args:
        root: `/sys`, or a made-up one.
        allowed: hardware threads that the process may run on.
        groups: text of `/proc/self/cgroup`.

    Source:
        Kernel documentation: admin-guide/cputopology (`core_cpus_list`, before Linux 5.3
        `thread_siblings_list`); admin-guide/cgroup-v2 (`cpu.max`), scheduler/sched-bwc
        (`cpu.cfs_quota_us`).
    """
    online = _numbers(root / _CPUS / "online")
    usable = sorted(set(allowed) & online if online else set(allowed))
    cores: dict[frozenset[int], Core] = {}
    for cpu in usable:
        siblings = _siblings(root, cpu)
        if cpu in siblings:
            cores[siblings] = Core(
                threads=tuple(each for each in usable if each in siblings),
                package=_number(root / _CPUS / f"cpu{cpu}/topology/physical_package_id") or 0,
                capacity=_capacity(root, cpu),
            )
    return Topology(
        cores=tuple(cores.values()),
        threads=tuple(usable),
        quota=min(_quotas(root / "fs/cgroup", groups), default=None),
    )


def _siblings(root: Path, cpu: int) -> frozenset[int]:
    folder = root / _CPUS / f"cpu{cpu}/topology"
    return frozenset(
        _numbers(folder / "core_cpus_list") or _numbers(folder / "thread_siblings_list")
    )


def _capacity(root: Path, cpu: int) -> int:
    told = _number(root / _CPUS / f"cpu{cpu}/cpu_capacity")
    if told is not None:
        return told
    return _SMALL if cpu in _numbers(root / "devices/cpu_atom/cpus") else _FULL


def _quotas(root: Path, groups: str) -> Iterator[float]:
    """Yield the limit of each control group that the process is in, up to the root."""
    for line in groups.splitlines() or ["0::/"]:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        names = controllers.split(",")
        # In a container the own group is mounted as the root, and its path leads nowhere.
        for folder in _up(path):
            if controllers == "":
                yield from _ratio((_text(root / folder / "cpu.max") or "max").split())
            elif "cpu" in names:
                for at in ("cpu", controllers):
                    quota, period = (
                        _text(root / at / folder / f"cpu.cfs_{name}_us")
                        for name in ("quota", "period")
                    )
                    yield from _ratio([quota or "-1", period or "0"])


def _up(path: str) -> list[str]:
    """Return a path and all above it, relative to the root."""
    inside = PurePosixPath(path.lstrip("/"))
    return [str(inside), *(str(each) for each in inside.parents)]


def _ratio(fields: list[str]) -> Iterator[float]:
    """Yield quota / period where they are numbers above 0."""
    if len(fields) == 2 and all(each.isdigit() and int(each) > 0 for each in fields):
        yield int(fields[0]) / int(fields[1])


def _numbers(path: Path) -> set[int]:
    """Return what a list of the kernel holds: `0-3,8` is 0, 1, 2, 3 and 8."""
    found: set[int] = set()
    for part in (_text(path) or "").split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (last or first).isdigit():
            found |= set(range(int(first), int(last or first) + 1))
    return found


def _number(path: Path) -> int | None:
    text = _text(path) or ""
    return int(text) if text.isdigit() else None


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
