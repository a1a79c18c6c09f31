"""Does a run under load count? An invalid run is no slow run. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator

from countci.errors import MeasureError
from countci.loads.result import Found
from countci.model.servers import Load
from countci.units import show_count, show_seconds, show_share

_RATE = 0.005
"""How far a constant rate may be off: a spinning client keeps it far closer."""
_LATE = 100e-6
"""Seconds that a spinning client may be late; plain Python is 11 to 20 µs late."""
_LATE_SHARE = 0.05
"""Of the median response time: then lateness can't be seen in it."""
_BUSY = 0.95
_OTHERS = 0.08
"""Of the server's processors; the rest of a quiet machine has up to 0.05. A program that worked a
tenth of each 10 ms on the only one raised p99 from 0.6 to 1.2 ms, half of it p90 from 0.4 to 2.0
and p99 to 4.1 ms, while the client itself was 26 µs late."""
_MANY = 0.01
"""More failed requests than this share are no disturbance, but what the server does."""


def invalid(load: Load, found: Found) -> tuple[str, ...]:
    """Return every reason why a run doesn't count; none when it does.

    Raises:
        MeasureError: so many requests failed that running it again would not help.
    """
    _refuse_failures(load, found)
    return tuple(_reasons(load, found))


def too_busy(cpu: float, wall: float) -> Iterator[str]:
    """Yield that the load could not have sent more, by its own CPU seconds."""
    if wall > 0 and cpu / wall > _BUSY:
        yield (
            f"the load's own processor was {cpu / wall:.0%} busy: it measured itself "
            "(fewer connections, or another `tool`)"
        )


def starved(others: float, wall: float) -> Iterator[str]:
    """Yield that other programs had the server's processors: then response times are theirs.

    Args:
        others: seconds that the processors ran something else.
        wall: seconds that there were, of all of them together.
    """
    if wall > 0 and others / wall > _OTHERS:
        yield f"other programs had {others / wall:.0%} of the server's processors"


def _refuse_failures(load: Load, found: Found) -> None:
    failed = found.errors + found.missing
    if failed > _MANY * max(found.sent, 1) or not found.answered:
        text = found.error or "no answer came"
        raise MeasureError(
            f"{failed:,} of {found.sent:,} requests got no good answer: {text}", where=load.url
        )


def _reasons(load: Load, found: Found) -> Iterator[str]:
    if found.errors:
        yield f"{found.errors:,} of {found.sent:,} requests failed: {found.error}"
    if found.missing:
        yield f"{found.missing:,} of {found.sent:,} requests got no answer"
    if load.loop == "closed":
        yield from too_busy(found.cpu, found.wall)
        return
    allowed = _RATE if load.arrivals == "constant" else 4 / math.sqrt(found.sent)
    off = found.achieved / load.rate - 1
    if abs(off) > allowed:
        yield (
            f"{show_count(found.achieved)} requests/s were sent instead of "
            f"{show_count(load.rate)} ({show_share(off)}; ±{allowed:.1%} is allowed)"
        )
    late = found.lateness["p99"]
    most = max(_LATE, _LATE_SHARE * found.latency["p50"])
    if late > most:
        yield (
            f"the load was late by {show_seconds(late)} (p99; {show_seconds(most)} is allowed): "
            "too little of a processor"
        )
