"""The machine that a measurement runs on. Pure: what was read from it is an argument."""

from __future__ import annotations

import re

from countci.doctor.finding import Finding, note, ok

# An average over a minute, so that what just ended (a build, a test) may still be in it.
_BUSY = 0.5


def load(average: float, cores: int) -> Finding:
    """Judge the load average of the last minute."""
    text = f"{average:.1f} on {cores} core{'s' if cores > 1 else ''}"
    if average > _BUSY * cores:
        return note(
            "load",
            f"{text}: counts don't mind, but timing takes more pairs or stays unsettled",
            "let the machine come to rest, or use --no-time",
        )
    return ok("load", text)


def quota(cpu_max: str | None) -> Finding:
    """Judge the control group's `cpu.max`: microseconds of CPU time in a period."""
    fields = (cpu_max or "max").split()
    if fields[0] == "max" or len(fields) < 2:
        return ok("cpu quota", "none")
    cores = int(fields[0]) / int(fields[1])
    if cores < 1:
        return note(
            "cpu quota",
            f"{cores:.2g} of a core: every timed run is stopped now and then",
            "give the container a whole core (docker run --cpus 1), or use --no-time",
        )
    return ok("cpu quota", f"{cores:.2g} cores")


def run_queue(*, known: bool) -> Finding:
    """Judge whether `/proc/PID/schedstat` tells how long a process waited for a core."""
    if known:
        return ok("run queue", "the time spent waiting for a core is known")
    return note(
        "run queue",
        "/proc/PID/schedstat is missing: the wait for a core stays in every time",
        "a kernel with CONFIG_SCHED_INFO; or a machine at rest",
    )


def vectors(cpuinfo: str) -> Finding:
    """Judge the CPU's flags in `/proc/cpuinfo`."""
    flags = re.search(r"^flags\s*:(.*)$", cpuinfo, re.MULTILINE)
    if flags and "avx512f" in flags[1].split():
        return note(
            "AVX-512",
            "valgrind has none: a program that chooses at run time is counted on its AVX2 path",
            "don't build with -march=native: it would die of SIGILL while it is counted",
        )
    return ok("AVX-512", "not in this CPU, so programs are counted on the path that they take")


def temporary(named: str | None, *, writable: bool) -> Finding:
    """Judge TMPDIR: its value, and whether files can be made there."""
    if named is None:
        return ok("TMPDIR", "not set")
    if not writable:
        return note("TMPDIR", f"{named} can't be written; /tmp is used instead", "unset TMPDIR")
    return ok("TMPDIR", named)
