"""lmbench's latencies: `Pipe latency: 7.01 microseconds` is `pipe_latency.latency`."""

from __future__ import annotations

import re

from countci.errors import MeasureError
from countci.readers.patterns import lines, missing, number
from countci.readers.reader import Number, Reader, metrics, united

_LATENCY = re.compile(r"^([A-Z][^:]*): (\S+) microseconds$")


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    parts: dict[str, dict[str, Number]] = {}
    trouble = ""
    for line in said:
        found = _LATENCY.match(line)
        if not found:
            # What is measured next is how fast it fails.
            trouble = trouble or line
            continue
        name = _name(found[1])
        if name in parts:
            raise MeasureError(f"several lines tell {found[1]}", detail=f"it says: {line}")
        value = number(found[2], line).value
        parts[name] = {"latency": Number(value, line, trouble)}
        trouble = ""
    if not parts:
        raise missing("latency in microseconds", said)
    return united(parts)


def _name(text: str) -> str:
    """Return `process_fork_exit` for `Process fork+exit`."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower().replace("'", "")).strip("_")


LMBENCH = Reader(
    metrics=metrics(latency=("µs", "lower")), usual=("latency",), read=_read, parts=True
)
