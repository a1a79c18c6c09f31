"""The open loop tells the truth about a server whose response times are known."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Literal

import pytest

from countci.inside import load_open, loading
from countci.inside.load_exchange import Exchange, Tally
from countci.inside.load_schedule import draw
from countci.loads import Trial, measure
from countci.loads.result import Found
from countci.loads.validity import invalid
from countci.model import Load, Ready, Run, ServerWork
from countci.process import Command
from countci.serving import Serving, serve
from countci.units import Seconds
from tests.ports import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        len(os.sched_getaffinity(0)) < 2, reason="an open loop needs a processor for itself"
    ),
]

SERVER = Path(__file__).with_name("stalling.py")
RATE = 1_000.0
TRIES = 6
"""Other work on the machine makes a run invalid, and says so."""


def command(port: int, folder: Path) -> Command:
    argv = (sys.executable, "-S", str(SERVER), str(port))
    return Command(argv=argv, env={"PATH": os.defpath}, cwd=folder)


def run(folder: Path, load: Load, seed: int) -> Run:
    port = free_port(folder.name)
    work = ServerWork(
        start=("x",), ready=Ready(tcp=str(port)), within=Seconds(20), grace=Seconds(5), load=load
    )
    trial = Trial(name=folder.name, work=work, scratch=folder)
    return measure(command(port, folder), trial, seed=seed)


def against(tried: Run) -> list[str]:
    """Return why a run doesn't count.

    The tests beside this one may have the server's processor: that is nothing to 250 ms.
    """
    return [text for text in tried.invalid if not text.startswith("other programs had")]


@pytest.mark.parametrize("arrivals", ["constant", "poisson"])
def test_percentiles_are_those_of_a_server_that_stalls_half_of_the_time(
    arrivals: Literal["constant", "poisson"], tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{free_port(tmp_path.name)}/"
    load = Load(url=url, loop="open", rate=RATE, arrivals=arrivals, seconds=Seconds(10.0))

    tried = run(tmp_path, load, 0)
    for seed in range(1, TRIES):
        if not against(tried):
            break
        tried = run(tmp_path, load, seed)
    if against(tried):
        pytest.skip(f"too busy a machine: {against(tried)}")

    found = tried.values
    assert found["p75"] == pytest.approx(0.250, rel=0.05)
    assert found["p90"] == pytest.approx(0.400, rel=0.05)
    assert found["p99"] == pytest.approx(0.490, rel=0.05)


def test_a_closed_loop_does_not_see_that_it_stalls(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port(tmp_path.name)}/"

    found = run(tmp_path, Load(url=url, concurrency=10, seconds=Seconds(2.0)), 0)

    assert found.values["closed_p90"] < 100


class Sleepy(Exchange):
    """An exchange that sleeps until something may have come, as most clients do."""

    def wait(self, seconds: float) -> None:
        time.sleep(0.001)
        super().wait(seconds)


def sleepy(folder: Path, load: Load, port: int) -> Found:
    """Return what a client that sleeps finds of the server."""
    serving = Serving(
        commands=(command(port, folder),),
        ready=Ready(tcp=str(port)),
        within=Seconds(20.0),
        grace=Seconds(5.0),
        name=folder.name,
        folder=folder,
    )
    tally = Tally()
    with serve(serving):
        exchange = Sleepy("127.0.0.1", port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", tally)
        schedule = draw("poisson", load.rate, load.requests, 1)
        load_open.run(exchange, schedule, connections=1000, patience=5.0)
        exchange.close()
    return Found(**loading.result(tally, cpu=0.0))


def test_a_client_that_sleeps_is_refused_as_invalid(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)
    load = Load(url=f"http://127.0.0.1:{port}/", loop="open", rate=RATE, requests=300)

    for _ in range(TRIES):
        found = sleepy(tmp_path, load, port)
        # Where most requests met a stall, a millisecond of lateness can't be seen in them.
        if found.latency["p50"] < 0.01:
            break
    else:
        pytest.skip("each time most requests met a stall")

    late = [text for text in invalid(load, found) if text.startswith("the load was late by")]
    assert found.answered == 300
    assert len(late) == 1
