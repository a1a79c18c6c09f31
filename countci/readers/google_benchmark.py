"""Google Benchmark, with `--benchmark_format=json`: a part for each benchmark."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.documents import document, items, number, optional, text
from countci.readers.reader import Number, Reader, metrics, united

_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_KINDS = ("real_time", "cpu_time")


def _read(said: str) -> dict[str, Number]:
    parts: dict[str, dict[str, Number]] = {}
    for each in items(document(said), "benchmarks"):
        name = text(each, "name")
        if optional(each, "error_occurred") or optional(each, "skipped"):
            problem = optional(each, "error_message") or optional(each, "skip_message") or ""
            raise MeasureError(f"{name} met an error", detail=f"it says: {problem}")
        if name in parts:
            # Which of its repetitions is meant is not guessed: its median has a name of its own.
            raise MeasureError(
                f"several results are called {name}",
                detail="add --benchmark_report_aggregates_only=true, and name "
                f"{name}_median.real_time",
            )
        parts[name] = {kind: _seconds(each, kind) for kind in _KINDS}
    return united(parts)


def _seconds(each: object, kind: str) -> Number:
    unit = text(each, "time_unit")
    found = number(each, kind)
    if unit not in _UNITS:
        raise MeasureError(f"{unit!r} is no unit of time", detail=f"it says: {found.line}")
    return Number(found.value * _UNITS[unit], f"{found.line} {unit}")


GOOGLE_BENCHMARK = Reader(
    metrics=metrics(real_time=("seconds", "lower"), cpu_time=("seconds", "lower")),
    usual=("real_time",),
    read=_read,
    parts=True,
)
