"""perf bench, in its default format and in `-f simple`: a part for each benchmark or function."""

from __future__ import annotations

import re

from countci.errors import MeasureError
from countci.readers.patterns import lines, missing, number
from countci.readers.reader import Number, Reader, metrics, united

_RUNNING = re.compile(r"^# Running '(.+)' benchmark")
_FUNCTION = re.compile(r"^# function '(.+)' ")
_TOLD = (
    (re.compile(r"^Total time: (\S+) \[sec\]$"), "elapsed"),
    (re.compile(r"^(\S+) usecs/op$"), "latency"),
    (re.compile(r"^(\S+) ops/sec$"), "rate"),
    (re.compile(r"^Averaged (\S+) operations/sec \("), "rate"),
    (re.compile(r"^(\S+) GB/sec$"), "throughput"),
)
_BARE = re.compile(r"^[0-9.]+$")
_GB = 2.0**30
"""perf's own: its simple format writes bytes, its default one divides by 1,024 three times."""


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    parts: dict[str, dict[str, Number]] = {}
    benchmark = function = ""
    for line in said:
        if found := _RUNNING.match(line):
            benchmark, function = found[1], ""
        elif found := _FUNCTION.match(line):
            function = found[1]
        elif told := _told(line, function):
            part = parts.setdefault(function or benchmark or "perf", {})
            if told[0] in part:
                raise MeasureError(f"several lines tell {told[0]}", detail=f"it says: {line}")
            part[told[0]] = told[1]
    if not parts:
        raise missing("result", said)
    return united(parts)


def _told(line: str, function: str) -> tuple[str, Number] | None:
    for pattern, name in _TOLD:
        if found := pattern.match(line):
            return name, number(found[1], line)
    if not _BARE.match(line):
        return None
    bare = number(line, line)
    if function:
        return "throughput", Number(bare.value / _GB, line)
    return "elapsed", bare


PERF_BENCH = Reader(
    metrics=metrics(
        elapsed=("seconds", "lower"),
        latency=("µs/op", "lower"),
        rate=("operations/s", "higher"),
        throughput=("GB/s", "higher"),
    ),
    usual=("elapsed",),
    read=_read,
    parts=True,
)
