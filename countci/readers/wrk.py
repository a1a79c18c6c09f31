"""wrk: a closed loop of requests; `--latency` adds percentiles."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.patterns import first, lines, milliseconds, missing, number, only, refuse
from countci.readers.reader import CLOSED_LOOP, Number, Reader, metrics

_PERCENTS = (50, 75, 90, 99)
_SOCKETS = r"^Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$"


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    _refuse(said)
    only(r"^(\d+) requests in ", said, "number of requests")
    rate = only(r"^Requests/sec:\s+(\S+)$", said, "requests per second")
    if not first(r"^Transfer/sec:", said):
        raise missing("transfer per second, the end of wrk's summary,", said)
    numbers = {"rate": number(rate[1], rate.string)}
    if mean := first(r"^Latency\s+([0-9.]\S*)\s", said):
        numbers["latency"] = milliseconds(mean[1], mean.string)
    for percent in _PERCENTS:
        if found := first(rf"^{percent}(?:\.000)?%\s+(\S+)$", said):
            numbers[f"p{percent}"] = milliseconds(found[1], found.string)
    return numbers


def _refuse(said: list[str]) -> None:
    """Raise a MeasureError where anything went wrong; wrk tells it only then."""
    for line in said:
        if line.startswith("Socket errors"):
            if not (sockets := first(_SOCKETS, [line])):
                raise MeasureError("its count of errors can't be read", detail=f"it says: {line}")
            refuse(str(sum(map(int, sockets.groups()))), "socket errors", line)
        if line.startswith("Non-2xx or 3xx responses"):
            refuse(line.rpartition(" ")[2], "responses that are errors", line)
        if line.startswith("unable to connect"):
            raise MeasureError("no connection", detail=f"it says: {line}")


WRK = Reader(
    metrics=metrics(
        rate=("requests/s", "higher"),
        latency=(CLOSED_LOOP, "lower"),
        **{f"p{percent}": (CLOSED_LOOP, "lower") for percent in _PERCENTS},
    ),
    usual=("rate",),
    read=_read,
)
