"""A placement by name to hardware threads; or why this machine can't do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from countci.model import (
    APART,
    NOT_MEASURABLE,
    ONE_CORE,
    ONE_THREAD,
    SEPARATE_CORES,
    Reason,
)
from countci.placement.topology import Core, Topology

_UNKNOWN = "the kernel tells nothing of its cores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Numbers of hardware threads."""

    cpus: tuple[int, ...]
    """Of the program."""
    load: int | None = None
    """Of what asks a server: on a core that the server has no part of."""

    @property
    def text(self) -> str:
        """What they are, in words."""
        numbers = ", ".join(map(str, self.cpus))
        own = f"hardware thread{'s' if len(self.cpus) > 1 else ''} {numbers}"
        return own if self.load is None else f"{own}, its load on {self.load}"


def choose(name: str, topology: Topology) -> Placed | Reason:
    """Return where the placement `name` is on a machine; the reason where it has none.

    Of cores that will do, the fastest kind, and the last ones: the first are where the kernel
    has most of its own work.
    """
    ordered = sorted(topology.cores, key=lambda core: (core.capacity, core.threads))
    found = _CHOICES[name](replace(topology, cores=tuple(ordered)))
    if isinstance(found, Placed):
        needed = len(found.cpus) + (found.load is not None)
        if topology.quota is None or topology.quota >= needed:
            return found
        quota = f"{topology.quota:g} processor{'s' if topology.quota != 1 else ''}"
        found = f"its control group may use {quota} at a time, and this takes {needed}"
    text = f"{name} is not measurable on this machine: {found}"
    return Reason(code=NOT_MEASURABLE, text=text)


def _one_thread(topology: Topology) -> Placed | str:
    threads = topology.cores[-1].threads if topology.cores else topology.threads[-1:]
    return Placed(cpus=threads[:1]) if threads else _UNKNOWN


def _one_core(topology: Topology) -> Placed | str:
    found = [core for core in topology.cores if len(core.threads) > 1]
    if found:
        return Placed(cpus=found[-1].threads[:2])
    if not topology.cores:
        return _UNKNOWN
    return f"no core has two hardware threads that may be used ({_count(topology.cores)})"


def _separate_cores(topology: Topology) -> Placed | str:
    cores = topology.cores
    for last in reversed(cores):
        # Of one kind and in one socket: two that differ would be another comparison.
        alike = [c for c in cores if (c.package, c.capacity) == (last.package, last.capacity)]
        if len(alike) > 1:
            return Placed(cpus=tuple(sorted(core.threads[0] for core in alike[-2:])))
    if not cores:
        return _UNKNOWN
    return f"there are no two cores of one kind in one socket ({_count(cores)})"


def _apart(topology: Topology) -> Placed | str:
    """Return two cores, whatever their kinds; the last thread is the load's, on any machine."""
    cores = topology.cores
    if len(cores) > 1:
        own, load = sorted(core.threads[0] for core in cores[-2:])
        return Placed(cpus=(own,), load=load)
    return f"no core is left for the load ({_count(cores)})" if cores else _UNKNOWN


_CHOICES: Mapping[str, Callable[[Topology], Placed | str]] = {
    ONE_THREAD: _one_thread,
    ONE_CORE: _one_core,
    SEPARATE_CORES: _separate_cores,
    APART: _apart,
}


def _count(cores: Sequence[Core]) -> str:
    return "there is 1 core" if len(cores) == 1 else f"there are {len(cores)} cores"
