"""h2load: a closed loop of requests. It ends with status 0 when every connection is refused."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.patterns import lines, milliseconds, number, only, refuse
from countci.readers.reader import CLOSED_LOOP, Number, Reader, metrics

_REQUESTS = (
    r"^requests: (\d+) total, \d+ started, (\d+) done, (\d+) succeeded, "
    r"(\d+) failed, (\d+) errored, (\d+) timeout$"
)
_CODES = r"^status codes: (\d+) 2xx, \d+ 3xx, (\d+) 4xx, (\d+) 5xx$"


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    requests = only(_REQUESTS, said, "count of requests that succeeded")
    total, done, succeeded, *wrong = map(int, requests.groups())
    for count, what in zip(wrong, ("failed", "errored", "timed out"), strict=True):
        refuse(str(count), f"requests {what}", requests.string)
    if not 0 < total == done == succeeded:
        problem = f"{succeeded} of {total} requests succeeded"
        raise MeasureError(problem, detail=f"it says: {requests.string}")
    codes = only(_CODES, said, "count of status codes")
    refuse(str(int(codes[2]) + int(codes[3])), "responses that are errors", codes.string)
    rate = only(r"^finished in \S+ (\S+) req/s, ", said, "requests per second")
    latency = only(r"^time for request:\s+\S+\s+\S+\s+(\S+)\s", said, "time for request")
    return {
        "rate": number(rate[1], rate.string),
        "latency": milliseconds(latency[1], latency.string),
    }


H2LOAD = Reader(
    metrics=metrics(rate=("requests/s", "higher"), latency=(CLOSED_LOOP, "lower")),
    usual=("rate",),
    read=_read,
)
