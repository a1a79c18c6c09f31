"""What a count depends on beside the build and the query."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import countci.counting.cachegrind as cachegrind
from countci import process
from countci.model import Fingerprint
from countci.process import Command
from countci.units import Seconds

COUNTER = "1"
"""Raise it when what is counted changes: command line, environment, choice of points."""
_CPUINFO = Path("/proc/cpuinfo")
_SECOND = {"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"}
_THIRD = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
_LEVELS = {"x86-64-v3": _SECOND | _THIRD, "x86-64-v2": _SECOND, "x86-64": {"lm"}}
"""Flags as the kernel writes them; the levels of the x86-64 psABI."""


def fingerprint(stage: Path, env: Mapping[str, str]) -> Fingerprint:
    """Return the fingerprint of counts that are taken on this machine, at `stage`.

    Raises:
        MeasureError: there is no valgrind.
    """
    valgrind = cachegrind.find(env, Path("/"))
    asked = process.run(
        Command(argv=(valgrind, "--version"), env={}, cwd=Path("/"), timeout=Seconds(60.0))
    )
    return Fingerprint(
        counter=COUNTER,
        valgrind=asked.stdout.decode(errors="replace").strip().removeprefix("valgrind-"),
        libc=_libc(),
        machine=os.uname().machine,
        cpu=tier(cpuinfo()),
        stage=str(stage),
    )


def cpuinfo() -> str:
    """Return what the kernel says of the processors; empty when it says nothing."""
    try:
        return _CPUINFO.read_text(errors="replace")
    except OSError:
        return ""


def tier(info: str) -> str:
    """Return what valgrind shows programs of a processor, from /proc/cpuinfo: AVX2 at most."""
    flags = _flags(info)
    for level, needed in _LEVELS.items():
        if needed <= flags:
            return level
    return " ".join(sorted(flags)) or "unknown"


def avx512(info: str) -> bool:
    """Whether programs can use AVX-512 natively, which valgrind doesn't show them."""
    return "avx512f" in _flags(info)


def _flags(info: str) -> set[str]:
    for line in info.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in {"flags", "Features"}:
            return set(value.split())
    return set()


def _libc() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or "unknown"
    except (ValueError, OSError):
        return "unknown"
