"""dbench and tbench: file system calls, and the same over sockets, by so many clients."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.patterns import first, lines, number, only
from countci.readers.reader import MILLISECONDS, Number, Reader, metrics

_WRONG = r"\bERROR\b|[Cc]hild failed|failed for handle|^\[\d+\] .*\bfailed\b"


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    if wrong := first(_WRONG, said):
        raise MeasureError("a client failed", detail=f"it says: {wrong.string}")
    found = only(r"^Throughput\s+(\S+) MB/sec\b.*?(?:max_latency=(\S+) ms)?$", said, "throughput")
    numbers = {"throughput": number(found[1], found.string)}
    if found[2]:  # since version 4
        numbers["max_latency"] = number(found[2], found.string)
    return numbers


DBENCH = Reader(
    metrics=metrics(throughput=("MB/s", "higher"), max_latency=(MILLISECONDS, "lower")),
    usual=("throughput",),
    read=_read,
)
