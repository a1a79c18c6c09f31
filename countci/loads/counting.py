"""Instructions per request: a server under a counter, and a fixed sequence of requests."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from countci.errors import MeasureError
from countci.loads.client import closed, page_of
from countci.loads.measuring import Trial
from countci.loads.sending import sent
from countci.process import Command, Finished
from countci.serving import Serving, serve, tail
from countci.units import Seconds

POINTS = (50, 100, 200)
"""Requests at each point: what a server makes at its first ones is in all of them."""
_SLOWER = 50
"""A server that is counted takes so many times as long to be ready, or to end."""
_TOLD = (0, -signal.SIGTERM, 128 + signal.SIGTERM)
"""How a server may end that was told to."""
_one_at_a_time = threading.Lock()
"""For servers that are counted: all runs of one query have the same port."""


def answering(trial: Trial, requests: int) -> Callable[[Command], Finished]:
    """Return what a server is driven by: so many requests over one connection, the same bytes."""
    return partial(_answer, trial, requests)


def _answer(trial: Trial, requests: int, command: Command) -> Finished:
    """Run a server, have it answer, and end it.

    Raises:
        MeasureError: it isn't ready, ends, fails a request, or doesn't end when told to.
    """
    work = trial.work
    with _one_at_a_time, tempfile.TemporaryDirectory(prefix="countci-", dir=trial.scratch) as made:
        start = time.perf_counter()
        serving = Serving(
            commands=(command,),
            ready=work.ready,
            within=Seconds(work.within * _SLOWER),
            grace=Seconds(work.grace * _SLOWER),
            name=trial.name,
            folder=Path(made),
        )
        with serve(serving) as started:
            sequence = closed(work.load, 1, requests=requests)
            with sent(sequence, command.env, Path(made), limit=command.timeout) as found:
                started.check()
            if found.answered < requests:
                raise MeasureError(
                    f"{requests - found.answered} of {requests} requests got no good answer: "
                    f"{found.error or 'none came in time'}",
                    where=work.load.url,
                )
        (server,) = started.servers
        if server.killed:
            raise MeasureError(
                "it doesn't end by SIGTERM, without which nothing is counted",
                where=command.line,
                detail="; ".join(started.remarks),
            )
        status, said = server.status or 0, tail(server)
        # What a server gives out is its pages; what it logs has times and ports in it.
        assert command.stdout is not None
        command.stdout.write_bytes(page_of(Path(made)).read_bytes())
        return Finished(
            status=0 if status in _TOLD else status,
            stdout=b"",
            stderr=said,
            elapsed=Seconds(time.perf_counter() - start),
        )
