from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from countci.errors import MeasureError
from countci.loads import Trial, measure
from countci.loads.client import request_of
from countci.loads.measuring import seat
from countci.model import HttpRequest, Load, Ready, Run, ServerWork
from countci.process import Command
from countci.units import Seconds
from tests.ports import free_port

ANSWER = "b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok'"
SERVER = f"""
import socket, sys, threading
answers = 0
def serve(connection):
    global answers
    while got := connection.recv(65536):
        answers += 1
        BODY
        connection.sendall({ANSWER})
    connection.close()
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=128)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"""


def run(folder: Path, load: Load, body: str = "pass", **changes: object) -> Run:
    """Return one run of a small server; `body` is done at each request."""
    port = free_port(folder.name)
    work = ServerWork(
        start=("x",),
        ready=Ready(tcp=str(port)),
        within=Seconds(20.0),
        grace=Seconds(5.0),
        load=replace(load, url=f"http://127.0.0.1:{port}/"),
    )
    work = replace(work, **changes)
    argv = (sys.executable, "-S", "-c", SERVER.replace("BODY", body), str(port))
    command = Command(argv=argv, env={"PATH": os.defpath}, cwd=folder)
    return measure(command, Trial(name=folder.name, work=work, scratch=folder), seed=1)


CLOSED = Load(url="", concurrency=4, requests=200)


def test_a_closed_loop_tells_throughput_and_threads(tmp_path: Path) -> None:
    found = run(tmp_path, CLOSED)

    assert found.values["throughput"] == pytest.approx(200 / found.wall)
    assert 0 < found.values["closed_p50"] <= found.values["closed_p99"]
    assert sum(use.count for use in found.threads) == 5  # one for each connection, and the first
    assert found.voluntary > 4
    assert found.remarks == ()


def test_an_open_loop_tells_percentiles_and_how_late_it_was(tmp_path: Path) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("an open loop needs a processor for itself")
    load = Load(url="", loop="open", arrivals="constant", rate=400.0, requests=100)

    found = run(tmp_path, load)

    assert 0 < found.values["p50"] <= found.values["p90"] <= found.values["p99"]
    assert found.values["lateness_p99"] >= 0
    assert found.values["achieved_rate"] > 0


def test_a_server_that_dies_under_load_is_named(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="the server ended under load, exit status 9"):
        run(tmp_path, CLOSED, "import os; answers < 90 or os._exit(9)")


def test_a_server_that_refuses_half_of_its_connections_is_an_error(tmp_path: Path) -> None:
    body = "if answers > 50 and answers % 2: connection.close(); return"

    with pytest.raises(MeasureError, match=r"of 200 requests got no good answer: ") as caught:
        run(tmp_path, CLOSED, body)

    assert caught.value.where.startswith("http://127.0.0.1:")


def test_a_server_that_answers_with_errors_is_an_error(tmp_path: Path) -> None:
    body = "connection.sendall(b'HTTP/1.1 500 No\\r\\nContent-Length: 0\\r\\n\\r\\n'); continue"

    with pytest.raises(MeasureError, match="status 500"):
        run(tmp_path, CLOSED, body)


def test_a_neighbour_tells_its_own_throughput(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)
    beside = Load(url=f"http://127.0.0.1:{port}/", concurrency=2, seconds=Seconds(60.0))

    found = run(tmp_path, CLOSED, neighbour=beside)

    assert found.values["neighbour_throughput"] > 0
    assert found.values["throughput"] > 0


def test_a_neighbour_that_nothing_answers_is_an_error(tmp_path: Path) -> None:
    nowhere = Load(url=f"http://127.0.0.1:{free_port('nobody')}/", seconds=Seconds(60.0))

    with pytest.raises(MeasureError, match="nothing accepts a connection within") as caught:
        run(tmp_path, CLOSED, neighbour=nowhere, within=Seconds(2.0))

    assert caught.value.where == nowhere.url


def test_the_load_has_the_last_processor_and_the_server_the_others() -> None:
    assert (seat([0, 2, 5], CLOSED).server, seat([0, 2, 5], CLOSED).load) == ((0, 2), 5)


def test_an_open_loop_needs_a_processor_for_itself() -> None:
    with pytest.raises(MeasureError, match="there is one only"):
        seat([0], Load(url="", loop="open", rate=1.0))
    assert seat([0], CLOSED).load == -1


def test_a_request_is_sent_as_it_was_asked_for(tmp_path: Path) -> None:
    sent = HttpRequest(method="POST", headers={"Content-Type": "text/x"}, body="größer")

    run(
        tmp_path,
        Load(url="", request=sent, concurrency=1, requests=2),
        body="open('seen', 'ab').write(got)",
    )

    seen = (tmp_path / "seen").read_bytes().decode()
    one = "Content-Type: text/x\r\nContent-Length: 8\r\n\r\ngrößer"
    assert seen.startswith("POST / HTTP/1.1\r\nHost: 127.0.0.1:")
    assert seen.count(one) == seen.count("POST") >= 2  # some are sent before, to warm up


def test_a_plain_request_is_its_address() -> None:
    asked = request_of(Load(url="http://127.0.0.1:80/a?b=c"))

    assert asked == "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n"
