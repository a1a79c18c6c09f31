"""A server as it is driven under a counter; here without one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from countci.errors import MeasureError
from countci.loads import Trial, answering
from countci.model import Load, Ready, ServerWork
from countci.process import Command
from countci.units import Seconds
from tests.ports import free_port

SERVER = """
import os, signal, socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
requests = 0
SETUP
while True:
    connection = listener.accept()[0]
    while connection.recv(65536):
        requests += 1
        print(requests, flush=True)
        BODY
        connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok')
"""


def trial(folder: Path, port: int, grace: float = 5.0) -> Trial:
    work = ServerWork(
        start=("x",),
        ready=Ready(tcp=str(port)),
        within=Seconds(20.0),
        grace=Seconds(grace),
        load=Load(url=f"http://127.0.0.1:{port}/", concurrency=30),
    )
    return Trial(name=folder.name, work=work, scratch=folder)


def command(folder: Path, port: int, *, setup: str = "", body: str = "") -> Command:
    text = SERVER.replace("SETUP", setup).replace("BODY", body)
    argv = (sys.executable, "-S", "-c", text, str(port))
    return Command(argv=argv, env={"PATH": os.defpath}, cwd=folder, stdout=folder / "out")


def test_a_server_answers_so_many_requests_one_after_the_other_and_ends_well(
    tmp_path: Path,
) -> None:
    port = free_port(tmp_path.name)

    finished = answering(trial(tmp_path, port), 37)(command(tmp_path, port))

    assert finished.status == 0
    assert finished.stderr.split() == [str(n) for n in range(1, 38)]


def test_what_a_server_gives_out_is_its_page_and_not_its_log(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)

    answering(trial(tmp_path, port), 3)(command(tmp_path, port))

    assert (tmp_path / "out").read_bytes() == b"ok"


def test_a_server_that_ends_by_itself_is_an_error(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)

    with pytest.raises(MeasureError, match="ended under load, exit status 3"):
        answering(trial(tmp_path, port), 37)(
            command(tmp_path, port, body="if requests > 20: os._exit(3)")
        )


def test_a_request_without_an_answer_is_an_error(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)

    with pytest.raises(MeasureError, match="of 37 requests got no good answer"):
        answering(trial(tmp_path, port), 37)(
            command(tmp_path, port, body="if requests > 20: connection.close(); break")
        )


def test_a_server_that_has_to_be_killed_has_no_count(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)

    with pytest.raises(MeasureError, match="doesn't end by SIGTERM") as caught:
        answering(trial(tmp_path, port, grace=0.01), 5)(
            command(tmp_path, port, setup="signal.signal(signal.SIGTERM, signal.SIG_IGN)")
        )

    assert "was killed" in caught.value.detail


def test_how_a_server_ends_when_told_to_is_told_apart_from_a_crash(tmp_path: Path) -> None:
    port = free_port(tmp_path.name)
    leaves = "signal.signal(signal.SIGTERM, lambda *_: os._exit(7))"

    finished = answering(trial(tmp_path, port), 5)(command(tmp_path, port, setup=leaves))

    assert finished.status == 7
