from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from countci.errors import MeasureError
from countci.model import Ready
from countci.serving import ports, serve, threads_of
from countci.units import Seconds
from tests.unit.serving.servers import alive, serving


def test_server_is_ready_when_its_port_accepts_a_connection_and_is_gone_afterwards(
    tmp_path: Path,
) -> None:
    job = serving("", tmp_path)

    with serve(job) as started:
        pid = started.servers[0].pid
        socket.create_connection(("127.0.0.1", int(job.ready.tcp))).close()
        started.check()

    assert not alive(pid)
    assert started.remarks == []


def test_server_is_ready_when_its_output_holds_the_line(tmp_path: Path) -> None:
    job = serving("print('list' 'ening', flush=True)\n", tmp_path, ready=Ready(line="listening"))

    with serve(job) as started:
        assert (tmp_path / "server0").read_text().startswith("listening")

    assert not alive(started.servers[0].pid)


def test_server_is_ready_when_it_answers_over_http(tmp_path: Path) -> None:
    with ports() as claimed:
        port = claimed.of(tmp_path.name)
    script = (
        "import http.server as h\n"
        "h.HTTPServer(('127.0.0.1', PORT), h.SimpleHTTPRequestHandler).serve_forever()\n"
    )
    job = serving(script, tmp_path, ready=Ready(http=f"http://127.0.0.1:{port}/"), listens=False)

    with serve(job) as started:
        started.check()

    assert "GET / HTTP/1.1" in (tmp_path / "server0").read_text()


def test_server_that_dies_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    job = serving("sys.exit('no configuration')", tmp_path, listens=False)

    with pytest.raises(MeasureError) as caught, serve(job):
        pass

    assert "ended before it was ready, exit status 1" in caught.value.problem
    assert caught.value.detail == "no configuration"


def test_server_that_dies_under_load_says_so(tmp_path: Path) -> None:
    job = serving("[listener.accept() for _ in range(2)]; sys.exit('overrun')\n", tmp_path)

    with serve(job) as started:
        socket.create_connection(("127.0.0.1", int(job.ready.tcp))).close()
        started.servers[0].wait(Seconds(5.0))
        with pytest.raises(MeasureError, match="ended under load, exit status 1") as caught:
            started.check()

    assert caught.value.detail == "overrun"


def test_server_that_never_gets_ready_is_ended_and_named(tmp_path: Path) -> None:
    job = replace(
        serving(
            "print('loading', os.getpid(), flush=True); time.sleep(60)", tmp_path, listens=False
        ),
        within=Seconds(0.5),
    )

    with pytest.raises(MeasureError) as caught, serve(job):
        pass

    assert "not ready within 500\N{NO-BREAK SPACE}ms: nothing accepts a connection on port" in (
        caught.value.problem
    )
    assert caught.value.detail.startswith("loading")
    assert not alive(int(caught.value.detail.split()[1]))


def test_server_that_ignores_sigterm_is_killed_and_named(tmp_path: Path) -> None:
    job = serving("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n", tmp_path, grace=0.3)

    with serve(job) as started:
        pid = started.servers[0].pid

    assert not alive(pid)
    assert len(started.remarks) == 1
    assert (
        "did not end within 300\N{NO-BREAK SPACE}ms after SIGTERM, and was killed"
        in (started.remarks[0])
    )


def test_child_that_a_server_leaves_is_ended_and_named(tmp_path: Path) -> None:
    script = (
        "child = subprocess.Popen(['sleep', '61'])\n"
        "open('child', 'w').write(str(child.pid))\n"
        "print('up', flush=True)\n"
    )
    job = serving(script, tmp_path, ready=Ready(line="up"), grace=0.3)

    with pytest.raises(MeasureError) as caught, serve(job):
        pass

    child = int((tmp_path / "child").read_text())
    assert caught.value.problem == f"it left processes running when it ended: sleep 61 ({child})"
    assert not alive(child)


def test_daemon_in_a_session_of_its_own_is_ended_and_named(tmp_path: Path) -> None:
    script = (
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork(): os._exit(0)\n"
        "    open('child', 'w').write(str(os.getpid()))\n"
        "    time.sleep(62)\n"
        "os.wait()\n"
        "while not os.path.exists('child'): time.sleep(0.01)\n"
        "sys.exit(0)\n"
    )
    job = serving(script, tmp_path, listens=False)

    with pytest.raises(MeasureError) as caught, serve(job):
        pass

    child = int((tmp_path / "child").read_text())
    assert "ended before it was ready, exit status 0" in caught.value.problem
    assert f"({child})" in caught.value.detail
    assert "must stay in the foreground" in caught.value.detail
    assert not alive(child)


def test_block_that_fails_leaves_no_server(tmp_path: Path) -> None:
    pids = []

    def broken() -> None:
        with serve(serving("", tmp_path)) as started:
            pids.append(started.servers[0].pid)
            raise KeyError

    with pytest.raises(KeyError):
        broken()

    assert not alive(pids[0])


def test_port_that_is_taken_is_refused_before_anything_starts(tmp_path: Path) -> None:
    job = serving("open('started', 'w')\n", tmp_path)

    with (
        socket.create_server(("127.0.0.1", int(job.ready.tcp))),
        pytest.raises(MeasureError, match="in use before the server has started"),
        serve(job),
    ):
        pass

    assert not (tmp_path / "started").exists()


def test_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    job = serving("", tmp_path)
    nothing = replace(job.commands[0], argv=("no-such-server",))

    with (
        pytest.raises(MeasureError, match="can't be started"),
        serve(replace(job, commands=(nothing,))),
    ):
        pass


def test_servers_are_started_in_order_and_all_ended(tmp_path: Path) -> None:
    job = serving("", tmp_path)
    first = replace(job.commands[0], argv=("sleep", "63"))

    with serve(replace(job, commands=(first, *job.commands))) as started:
        pids = [server.pid for server in started.servers]
        assert [member.pid for member in started.members()] == pids

    assert not any(map(alive, pids))


def test_servers_stay_on_their_processors(tmp_path: Path) -> None:
    own = min(os.sched_getaffinity(0))
    job = replace(serving("", tmp_path), cpus=(own,))

    with serve(job) as started:
        assert os.sched_getaffinity(started.servers[0].pid) == {own}

    assert len(os.sched_getaffinity(0)) >= 1


def test_a_name_has_the_same_port_until_it_is_taken() -> None:
    with ports() as first:
        port = first.of("bank/load")
        assert first.of("bank/load") == port

    with ports() as again:
        assert again.of("bank/load") == port
    with socket.create_server(("127.0.0.1", port)), ports() as taken:
        assert taken.of("bank/load") != port


def test_two_runs_never_have_one_port_though_no_server_listens() -> None:
    with ports() as first, ports() as second:
        assert first.of("bank/load") != second.of("bank/load")


def test_all_threads_of_all_processes_are_seen(tmp_path: Path) -> None:
    script = (
        "import threading\n"
        "if os.fork() == 0:\n"
        "    signal.pause()\n"
        "threading.Thread(target=signal.pause, daemon=True).start()\n"
        "print('up', flush=True)\n"
    )
    job = serving(script, tmp_path, ready=Ready(line="up"), grace=0.3)

    looks = {}

    with pytest.raises(MeasureError, match="left processes"), serve(job) as started:
        looks.update(threads_of(started.members()))

    assert len({pid for pid, _ in looks}) == 2
    assert len(looks) == 3
