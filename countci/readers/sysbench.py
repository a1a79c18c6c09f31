"""sysbench: cpu, memory, threads, and what its scripts do to databases."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.patterns import first, lines, missing, number, only, refuse
from countci.readers.reader import MILLISECONDS, Number, Reader, metrics

_RATES = (
    r"^transactions:\s+\d+\s+\((\S+) per sec\.\)$",
    r"^events per second:\s+(\S+)$",
    r"^Total operations: \d+ \((\S+) per second\)$",
)


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    if fatal := first(r"^(FATAL|ALERT)\b", said):
        raise MeasureError("it gave up", detail=f"it says: {fatal.string}")
    for what in ("ignored errors", "reconnects"):  # of databases only
        if wrong := first(rf"^{what}:\s+(\S+)\s", said):
            refuse(wrong[1], what, wrong.string)
    events = only(r"^total number of events:\s+(\S+)$", said, "number of events")
    if not number(events[1], events.string).value > 0:
        raise MeasureError("nothing was done", detail=f"it says: {events.string}")
    if not first(r"^execution time \(avg/stddev\):", said):
        raise missing("execution time, the end of sysbench's summary,", said)
    rate = next((found for each in _RATES if (found := first(each, said))), None)
    names = (("latency", r"^avg:\s+(\S+)$"), ("p95", r"^95th percentile:\s+(\S+)$"))
    told = {name: first(pattern, said) for name, pattern in names} | {"rate": rate}
    return {name: number(found[1], found.string) for name, found in told.items() if found}


SYSBENCH = Reader(
    metrics=metrics(
        rate=("events/s", "higher"),
        latency=(MILLISECONDS, "lower"),
        p95=(MILLISECONDS, "lower"),
    ),
    usual=("rate",),
    read=_read,
)
