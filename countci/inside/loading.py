"""A load from its specification to what it measured.

Specification:
    host, port          where to
    request             what is sent, the same bytes each time
    loop                `open` or `closed`
    count, seconds      how much: the number of requests, or for how long (closed only); else 0
    rate, arrivals, seed, connections    of an open loop: `constant` or `poisson` arrivals
    concurrency         of a closed loop
    patience            seconds that an answer may take once everything is sent
    processor           to stay on; -1 for any
    hold                seconds that connections are kept after the result is written, until
                        SIGTERM: a server's thread is gone with its connection

OUT.page gets the body of the first good answer. Result, times in seconds:
    sent, answered      requests
    errors, error       refused, reset or cut connections, answers of status 400 and more;
                        the first of them in words
    wall, cpu           of the load: from the first request to the last answer; its own CPU time
    rate                answers a second
    connections         how many were open at most
    latency             percentiles, from the scheduled send in an open loop
    lateness, achieved  open loop: how late requests were handled; requests sent a second
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

from . import load_closed, load_open
from .load_exchange import Exchange, Tally
from .load_schedule import draw, percentiles

_MOST_URGENT = -20
_LOOK = 0.01


def main(words: list[str]) -> int:
    """Return the exit status: 0 once the result is written, whatever it says."""
    given, out = words
    specification = json.loads(Path(given).read_text(encoding="utf-8"))
    _settle_down(specification["processor"])
    tally = Tally()

    def stop(_number: int, _frame: object) -> None:
        tally.stopped = True

    signal.signal(signal.SIGTERM, stop)
    exchange = Exchange(
        specification["host"], specification["port"], specification["request"].encode(), tally
    )
    print("begun", flush=True)  # noqa: T201 - from now on it can be told to end
    cpu = time.process_time()
    _run(exchange, specification)
    found = result(tally, time.process_time() - cpu)
    Path(f"{out}.page").write_bytes(tally.page)
    unfinished = Path(f"{out}.unfinished")
    unfinished.write_text(json.dumps(found), encoding="utf-8")
    unfinished.replace(out)
    end = time.monotonic() + specification["hold"]
    while not tally.stopped and time.monotonic() < end:
        time.sleep(_LOOK)
    exchange.close()
    return 0


def _settle_down(processor: int) -> None:
    """Keep the load from being late by its own doing, as far as it is allowed to."""
    if processor >= 0:
        os.sched_setaffinity(0, {processor})
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, _MOST_URGENT)
        # Where sessions share the processor evenly, the line above counts inside of one only.
        Path("/proc/self/autogroup").write_text(str(_MOST_URGENT + 1), encoding="utf-8")
    gc.disable()


def _run(exchange: Exchange, given: dict[str, Any]) -> None:
    if given["loop"] == "open":
        schedule = draw(given["arrivals"], given["rate"], given["count"], given["seed"])
        load_open.run(
            exchange,
            schedule,
            connections=given["connections"],
            patience=given["patience"],
        )
    else:
        load_closed.run(
            exchange,
            count=given["count"],
            seconds=given["seconds"],
            concurrency=given["concurrency"],
            patience=given["patience"],
        )


def result(tally: Tally, cpu: float) -> dict[str, Any]:
    """Return what is written of a load that took so many seconds of CPU time."""
    wall = (tally.ended - tally.began) / 1e9
    sending = (tally.last_sent - tally.first_sent) / 1e9
    achieved = (tally.sent - 1) / sending if tally.lateness and sending > 0 else 0.0
    return {
        "sent": tally.sent,
        "answered": len(tally.latencies),
        "errors": tally.errors,
        "error": tally.error,
        "wall": wall,
        "cpu": cpu,
        "rate": len(tally.latencies) / wall if wall > 0 else 0.0,
        "connections": tally.connections,
        "latency": percentiles(tally.latencies),
        "lateness": percentiles(tally.lateness),
        "achieved": achieved,
    }
