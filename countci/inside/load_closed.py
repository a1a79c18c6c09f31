"""The closed loop: each connection sends its next request when its answer has come."""

from __future__ import annotations

import time

from .load_exchange import Exchange

_LOOK = 0.05
_MOST_ERRORS = 1000


def run(
    exchange: Exchange, *, count: int, seconds: float, concurrency: int, patience: float
) -> None:
    """Keep `concurrency` requests on their way, `count` in all or for some seconds.

    Args:
        exchange: where to; its tally gets the times.
        count: of requests; 0: as many as come in time.
        seconds: after which none is sent any more; 0: no such end.
        concurrency: connections.
        patience: seconds that the last answers may take.
    """
    tally, clock = exchange.tally, time.monotonic_ns
    start = tally.began = clock()
    end = start + round(seconds * 1e9) if seconds else None

    def more() -> bool:
        if tally.stopped or tally.errors > _MOST_ERRORS:
            return False
        return tally.sent < count if count else end is None or clock() < end

    while more():
        while exchange.on_their_way < concurrency and more():
            exchange.send(clock(), concurrency)
            tally.sent += 1
        exchange.wait(_LOOK)
    last = clock() + round(patience * 1e9)
    while exchange.on_their_way and clock() < last and not tally.stopped:
        exchange.wait(_LOOK)
