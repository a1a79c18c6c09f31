"""hackbench: groups of senders and receivers, each of which passes messages to each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from countci.errors import MeasureError
from countci.readers.patterns import blocks, first, lines, missing, number
from countci.readers.reader import Number, Reader, metrics, united

_RUN = r"with (\d+) groups using (\d+) file descriptors each"
_LOOPS = r"^Each sender will pass (\d+) messages of \d+ bytes"


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    if wrong := first(r"\(error: ", said):
        raise MeasureError("a sender or receiver failed", detail=f"it says: {wrong.string}")
    runs = blocks(_RUN, said)
    if not runs:
        raise missing("number of groups", said)
    parts = dict(map(_run, runs))
    if len(parts) < len(runs):
        raise MeasureError("several runs with as many groups", detail=runs[0][0])
    return united(parts)


def _run(said: Sequence[str]) -> tuple[str, dict[str, Number]]:
    """Return the number of groups of one run, and what it told."""
    head, loops = re.search(_RUN, said[0]), first(_LOOPS, said)
    time = first(r"^Time: (\S+)$", said)
    if head is None or loops is None or time is None:
        raise missing("time of a run", said)
    elapsed = number(time[1], time.string)
    # Half of the descriptors are the senders'; each passes its messages to each receiver.
    senders = int(head[2]) // 2
    messages = int(head[1]) * senders * senders * int(loops[1])
    rate = messages / elapsed.value if elapsed.value else 0.0
    return head[1], {"elapsed": elapsed, "rate": Number(rate, elapsed.line)}


HACKBENCH = Reader(
    metrics=metrics(elapsed=("seconds", "lower"), rate=("messages/s", "higher")),
    usual=("elapsed",),
    read=_read,
    parts=True,
)
