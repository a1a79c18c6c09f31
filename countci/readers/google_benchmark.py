"""Google Benchmark, with `--benchmark_format=json`: a part for each benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from countci.errors import MeasureError
from countci.readers.documents import document, items, number, optional, text
from countci.readers.reader import Number, Reader, metrics, middle, united

_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_KINDS = ("real_time", "cpu_time")


def _read(said: str) -> dict[str, Number]:
    rows: dict[str, list[object]] = {}
    for each in _measured(items(document(said), "benchmarks")):
        rows.setdefault(text(each, "run_name"), []).append(each)
    return united(
        {name: {kind: _time(repeats, kind) for kind in _KINDS} for name, repeats in rows.items()}
    )


def _measured(benchmarks: Sequence[object]) -> Sequence[object]:
    """Return what was measured: each repetition, or the medians where they were left out."""
    for each in benchmarks:
        if optional(each, "error_occurred") or optional(each, "skipped"):
            problem = optional(each, "error_message") or optional(each, "skip_message") or ""
            name = text(each, "name")
            raise MeasureError(f"{name} met an error", detail=f"it says: {problem}")
    single = [each for each in benchmarks if optional(each, "run_type") != "aggregate"]
    medians = [each for each in benchmarks if optional(each, "aggregate_name") == "median"]
    if not single and not medians:
        raise MeasureError("it tells neither repetitions nor their median")
    return single or medians


def _time(repeats: Sequence[object], kind: str) -> Number:
    """Return the median in seconds."""
    found = [_seconds(each, kind) for each in repeats]
    lines = ", ".join(each.line for each in found)
    return middle([each.value for each in found], lines)


def _seconds(row: object, kind: str) -> Number:
    unit, found = text(row, "time_unit"), number(row, kind)
    if unit not in _UNITS:
        raise MeasureError(f"{unit!r} is no unit of time", detail=f"it says: {found.line}")
    return Number(found.value * _UNITS[unit], f"{found.line} {unit}")


GOOGLE_BENCHMARK = Reader(
    metrics=metrics(real_time=("seconds", "lower"), cpu_time=("seconds", "lower")),
    usual=("real_time",),
    read=_read,
    parts=True,
)
