"""The open loop: requests go when they are due, whatever the server does."""

from __future__ import annotations

import time
from array import array
from collections import deque

from .load_exchange import Exchange

_LEAD = 2_000_000
"""Nanoseconds before the first request."""


def run(exchange: Exchange, schedule: array[int], *, connections: int, patience: float) -> None:
    """Send a request at each time of `schedule`, and wait for the answers.

    It spins: a process that sleeps is 0.3 to 1 ms late, and then the server seems to be slow,
    by the same time at any rate. A request for which no connection is free waits in a queue;
    it is timed from when it was due.

    Args:
        exchange: where to; its tally gets the times.
        schedule: nanoseconds from the start.
        connections: the most that are opened.
        patience: seconds that answers may take once everything is sent.
    """
    tally, clock = exchange.tally, time.monotonic_ns
    waiting: deque[int] = deque()
    start = tally.began = clock() + _LEAD
    number, count = 0, len(schedule)
    due = start + schedule[0]
    while number < count and not tally.stopped:
        now = clock()
        if now < due:
            exchange.wait(0)
            if waiting:
                _send_waiting(exchange, waiting, connections)
            continue
        tally.lateness.append(now - due)
        tally.first_sent = tally.first_sent or now
        tally.last_sent = now
        if waiting or not exchange.send(due, connections):
            waiting.append(due)
        number += 1
        if number < count:
            due = start + schedule[number]
    tally.sent = number
    end = clock() + round(patience * 1e9)
    while (waiting or exchange.on_their_way) and clock() < end and not tally.stopped:
        exchange.wait(0)
        _send_waiting(exchange, waiting, connections)


def _send_waiting(exchange: Exchange, waiting: deque[int], connections: int) -> None:
    while waiting and exchange.send(waiting[0], connections):
        waiting.popleft()
