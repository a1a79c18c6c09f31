"""pgbench, since version 15, which counts failed transactions."""

from __future__ import annotations

from countci.readers.patterns import first, lines, number, only, refuse
from countci.readers.reader import MILLISECONDS, Number, Reader, metrics


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    failed = only(r"^number of failed transactions: (\d+) \(", said, "count of failed transactions")
    refuse(failed[1], "failed transactions", failed.string)
    # Printed only with --rate and --latency-limit.
    if skipped := first(r"^number of transactions skipped: (\S+) \(", said):
        refuse(skipped[1], "skipped transactions", skipped.string)
    done = only(
        r"^number of transactions actually processed: (\d+)(?:/(\d+))?$", said, "transactions"
    )
    if done[2]:  # with -t: so many of so many
        refuse(str(int(done[2]) - int(done[1])), "missing transactions", done.string)
    rate = only(r"^tps = (\S+) \(", said, "tps")
    latency = only(r"^latency average = (\S+) ms$", said, "average latency")
    return {
        "rate": number(rate[1], rate.string),
        "latency": number(latency[1], latency.string),
    }


PGBENCH = Reader(
    metrics=metrics(rate=("transactions/s", "higher"), latency=(MILLISECONDS, "lower")),
    usual=("rate",),
    read=_read,
)
