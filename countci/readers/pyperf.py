"""pyperf's JSON, printed once it is written: a part for each benchmark."""

from __future__ import annotations

import statistics

from countci.errors import MeasureError
from countci.readers.documents import document, items, number, optional
from countci.readers.reader import Number, Reader, metrics, middle, united


def _read(said: str) -> dict[str, Number]:
    suite = document(said)
    parts: dict[str, dict[str, Number]] = {}
    for each in items(suite, "benchmarks"):
        name = _about(suite, each, "name") or "benchmark"
        if name in parts:
            raise MeasureError(f"several benchmarks are called {name}")
        if (unit := _about(suite, each, "unit") or "second") != "second":
            raise MeasureError(f"{name} is in {unit}s, and not a time")
        parts[name] = _values(name, each)
    return united(parts)


def _values(name: str, benchmark: object) -> dict[str, Number]:
    found = [
        number(run, "values", index).value
        for run in items(benchmark, "runs")
        if isinstance(values := optional(run, "values"), list)  # calibration has none
        for index in range(len(values))
    ]
    if not found:
        raise MeasureError(f"{name} has no values")
    line = f"{len(found)} values of {name}"
    return {"mean": Number(statistics.fmean(found), line), "median": middle(found, line)}


def _about(suite: object, benchmark: object, key: str) -> str:
    """Return what the benchmark, or the suite for all of them, says of itself."""
    for node in (benchmark, suite):
        if isinstance(found := optional(optional(node, "metadata"), key), str):
            return found
    return ""


PYPERF = Reader(
    metrics=metrics(mean=("seconds", "lower"), median=("seconds", "lower")),
    usual=("median",),
    read=_read,
    parts=True,
)
