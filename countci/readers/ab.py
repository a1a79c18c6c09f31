"""ab (ApacheBench): a closed loop of requests."""

from __future__ import annotations

from countci.readers.patterns import first, lines, missing, number, only, refuse
from countci.readers.reader import CLOSED_LOOP, Number, Reader, metrics

_PERCENTS = (50, 75, 90, 95, 99)


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    failed = only(r"^Failed requests:\s+(\S+)$", said, "count of failed requests")
    refuse(failed[1], "failed requests", failed.string)
    # Both are printed only where there are any.
    for what in ("Non-2xx responses", "Write errors"):
        if wrong := first(rf"^{what}:\s+(\S+)$", said):
            refuse(wrong[1], what, wrong.string)
    rate = only(r"^Requests per second:\s+(\S+) \[#/sec\]", said, "requests per second")
    mean = only(r"^Time per request:\s+(\S+) \[ms\] \(mean\)$", said, "time per request")
    if not first(r"^Transfer rate:", said):
        raise missing("transfer rate, the end of ab's summary,", said)
    numbers = {
        "rate": number(rate[1], rate.string),
        "latency": number(mean[1], mean.string),
    }
    for percent in _PERCENTS:  # in whole milliseconds: often 0, which can't be judged
        if found := first(rf"^{percent}%\s+(\S+)$", said):
            numbers[f"p{percent}"] = number(found[1], found.string)
    return numbers


AB = Reader(
    metrics=metrics(
        rate=("requests/s", "higher"),
        latency=(CLOSED_LOOP, "lower"),
        **{f"p{percent}": (CLOSED_LOOP, "lower") for percent in _PERCENTS},
    ),
    usual=("rate",),
    read=_read,
)
