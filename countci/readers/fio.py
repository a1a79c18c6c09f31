"""fio, with `--output-format=json`: a part for each job."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.documents import at, document, items, number, optional, text
from countci.readers.reader import MILLISECONDS, Number, Reader, metrics, united

_WAYS = ("read", "write")
_NANOSECONDS = 1e6
"""In a millisecond."""


def _read(said: str) -> dict[str, Number]:
    parts: dict[str, dict[str, Number]] = {}
    for job in items(document(said), "jobs"):
        name = text(job, "jobname")
        if name in parts:
            raise MeasureError(f"several jobs are called {name}: add --group_reporting")
        parts[name] = _job(job)
    return united(parts)


def _job(job: object) -> dict[str, Number]:
    _refuse(number(job, "error"))
    numbers: dict[str, Number] = {}
    for way in _WAYS:
        if not number(job, way, "total_ios").value:
            continue
        for what in ("short_ios", "drop_ios"):
            _refuse(number(job, way, what))
        numbers[f"{way}_iops"] = number(job, way, "iops")
        numbers[f"{way}_bandwidth"] = number(job, way, "bw_bytes")
        mean = number(job, way, "clat_ns", "mean")
        numbers[f"{way}_latency"] = Number(mean.value / _NANOSECONDS, mean.line)
        if optional(at(job, way, "clat_ns"), "percentile") is not None:
            last = number(job, way, "clat_ns", "percentile", "99.000000")
            numbers[f"{way}_p99"] = Number(last.value / _NANOSECONDS, last.line)
    rates = [numbers[f"{way}_iops"] for way in _WAYS if f"{way}_iops" in numbers]
    if not rates:
        raise MeasureError("nothing was read or written", detail=f"it says: {_done(job)}")
    line = ", ".join(rate.line for rate in rates)
    return numbers | {"iops": Number(sum(rate.value for rate in rates), line)}


def _refuse(count: Number) -> None:
    if count.value != 0:
        raise MeasureError("a job met an error", detail=f"it says: {count.line}")


def _done(job: object) -> str:
    return ", ".join(number(job, way, "total_ios").line for way in _WAYS)


FIO = Reader(
    metrics=metrics(
        iops=("operations/s", "higher"),
        **{f"{way}_iops": ("operations/s", "higher") for way in _WAYS},
        **{f"{way}_bandwidth": ("bytes/s", "higher") for way in _WAYS},
        **{f"{way}_latency": (MILLISECONDS, "lower") for way in _WAYS},
        **{f"{way}_p99": (MILLISECONDS, "lower") for way in _WAYS},
    ),
    usual=("iops",),
    read=_read,
    parts=True,
)
