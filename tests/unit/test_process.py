"""The door to other programs: what goes in, what comes out, and that nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from countci import process
from countci.errors import MeasureError
from countci.process import Command, Finished, Spent
from countci.units import Seconds

ENV = {"PATH": "/usr/bin:/bin"}
# Leaves a process in a session of its own; it is there when its parent has ended.
DAEMON = """
import os, time
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    os.write(1, str(os.getpid()).encode())
    os.close(writer)
    time.sleep(1000)
os.close(writer)
os.read(reader, 1)
"""
# Runs a program that never ends; tells its process id as soon as it is watched.
KILLED = """
import sys, threading, time
from pathlib import Path
from countci import process
from countci.process.living import living
command = process.Command(argv=("sleep", "1000"), env={"PATH": "/usr/bin:/bin"}, cwd=Path("/"))
threading.Thread(target=getattr(process, sys.argv[1]), args=(command,)).start()
while not living.known():
    time.sleep(0.001)
print(*living.known(), flush=True)
"""

Runner: TypeAlias = Callable[[Command], Finished | Spent]
BOTH = pytest.mark.parametrize("start", [process.run, process.timed])


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    yield
    process.end_strays()


def shell(
    script: str, cwd: Path, *, stdout: Path | None = None, stderr: Path | None = None
) -> Command:
    return Command(argv=("sh", "-c", script), env=ENV, cwd=cwd, stdout=stdout, stderr=stderr)


def python(script: str, cwd: Path) -> Command:
    return Command(argv=(sys.executable, "-I", "-S", "-c", script), env=ENV, cwd=cwd)


def lives(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition: Callable[[], bool]) -> bool:
    """Whether it comes true, sooner or later; the limit is for a test that fails."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_output_and_error_come_back(tmp_path: Path) -> None:
    finished = process.run(shell("echo out; echo err >&2; pwd", tmp_path))

    assert finished.stdout.decode() == f"out\n{tmp_path}\n"
    assert finished.stderr == "err\n"
    assert finished.status == 0
    assert finished.elapsed > 0


def test_200000_characters_on_both_streams_do_not_stop_it(tmp_path: Path) -> None:
    script = "import os\nfor _ in range(200): os.write(2, b'e' * 1000); os.write(1, b'o' * 1000)"

    finished = process.run(python(script, tmp_path))

    assert finished.stdout == b"o" * 200_000
    assert finished.stderr == "e" * 200_000


def test_error_that_is_no_text_is_shown_all_the_same(tmp_path: Path) -> None:
    assert process.run(shell(r"printf '\377' >&2", tmp_path)).stderr == "\N{REPLACEMENT CHARACTER}"


def test_exit_status_is_named_with_the_end_of_the_error(tmp_path: Path) -> None:
    command = shell("seq 10000 >&2; echo no such table >&2; exit 3", tmp_path)

    with pytest.raises(MeasureError) as caught:
        process.run(command)

    assert caught.value.problem == "exit status 3"
    assert caught.value.where == command.line
    assert caught.value.detail.endswith("10000\nno such table")
    assert len(caught.value.detail) <= 2000


def test_signal_is_named(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match=r"killed by signal 11 \(SIGSEGV\)"):
        process.run(shell("kill -SEGV $$", tmp_path))


def test_status_is_returned_where_the_caller_looks_at_it(tmp_path: Path) -> None:
    assert process.run(shell("exit 3", tmp_path), check=False).status == 3
    assert process.run(shell("kill -9 $$", tmp_path), check=False).status == -9
    assert process.timed(shell("exit 3", tmp_path)).status == 3
    assert process.timed(shell("kill -9 $$", tmp_path)).status == -9


@BOTH
def test_program_that_is_not_there_is_an_error(start: Runner, tmp_path: Path) -> None:
    for name in ("no-such-program", "./no-such-program"):
        with pytest.raises(MeasureError, match=name):
            start(Command(argv=(name,), env=ENV, cwd=tmp_path))


@BOTH
def test_folder_that_is_not_there_is_an_error(start: Runner, tmp_path: Path) -> None:
    here = Path.cwd()

    with pytest.raises(MeasureError, match="can't be started"):
        start(shell("true", tmp_path / "gone"))

    assert Path.cwd() == here


@BOTH
def test_file_that_is_no_program_is_an_error(start: Runner, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\x7fELF but not really")
    (tmp_path / "text").chmod(0o755)

    with pytest.raises(MeasureError, match="can't be started"):
        start(Command(argv=("./text",), env=ENV, cwd=tmp_path))


@BOTH
def test_program_that_hangs_is_killed_at_its_time_limit(start: Runner, tmp_path: Path) -> None:
    command = shell("echo $$ > pid; echo here >&2; exec sleep 1000", tmp_path)

    with pytest.raises(MeasureError) as caught:
        start(replace(command, timeout=Seconds(0.5)))

    assert caught.value.problem == "still running after 0.5 s"
    assert caught.value.detail == "here"
    assert not lives(int((tmp_path / "pid").read_text()))


@BOTH
def test_environment_is_the_whole_of_it(
    start: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    out = tmp_path / "out"

    start(Command(argv=("/usr/bin/env",), env={"A": "1"}, cwd=tmp_path, stdout=out))

    assert out.read_text() == "A=1\n"


@BOTH
def test_no_open_file_of_ours_reaches_it(start: Runner, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)  # noqa: FBT003 - as make does for its children
    out = tmp_path / "out"
    try:
        start(Command(argv=("ls", "/proc/self/fd"), env=ENV, cwd=tmp_path, stdout=out))
    finally:
        os.close(reader)
        os.close(writer)

    assert out.read_text().split() == ["0", "1", "2", "3"]  # 3 is the folder that ls reads


@BOTH
def test_no_signal_is_ignored_because_python_ignores_it(start: Runner, tmp_path: Path) -> None:
    out = tmp_path / "out"

    start(Command(argv=("grep", "SigIgn", "/proc/self/status"), env=ENV, cwd=tmp_path, stdout=out))

    # The two above 31 are the C library's own; its posix_spawn leaves them ignored.
    assert int(out.read_text().split()[1], 16) & 0x7FFF_FFFF == 0


@BOTH
def test_it_reads_a_file_or_nothing(start: Runner, tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.write_text("asked")

    start(Command(argv=("cat",), env=ENV, cwd=tmp_path, stdin=source, stdout=out))
    assert out.read_text() == "asked"

    start(Command(argv=("cat",), env=ENV, cwd=tmp_path, stdout=out))
    assert out.read_text() == ""


@BOTH
def test_one_file_takes_both_streams_in_their_order(start: Runner, tmp_path: Path) -> None:
    log = tmp_path / "log"

    start(shell("echo 1; echo 2 >&2; echo 3", tmp_path, stdout=log, stderr=log))

    assert log.read_text() == "1\n2\n3\n"


def test_output_in_a_file_is_not_returned_too(tmp_path: Path) -> None:
    finished = process.run(shell("echo out; echo err >&2", tmp_path, stdout=tmp_path / "out"))

    assert finished.stdout == b""
    assert finished.stderr == "err\n"


@BOTH
def test_child_in_the_background_neither_hangs_us_nor_lives_on(
    start: Runner, tmp_path: Path
) -> None:
    start(shell("sleep 1000 & echo $! > pid", tmp_path))

    assert wait_for(lambda: not lives(int((tmp_path / "pid").read_text())))


@BOTH
def test_daemon_of_its_own_session_is_ended_as_a_stray(start: Runner, tmp_path: Path) -> None:
    out = tmp_path / "pid"
    argv = (sys.executable, "-I", "-S", "-c", DAEMON)
    start(Command(argv=argv, env=ENV, cwd=tmp_path, stdout=out))
    pid = int(out.read_text())
    assert lives(pid)

    process.end_strays()

    assert not lives(pid)


def test_strays_are_not_our_own_children() -> None:
    ours = subprocess.Popen(["sleep", "1000"])
    try:
        process.end_strays()
        assert ours.poll() is None
    finally:
        ours.kill()
        ours.wait()


@pytest.mark.parametrize("function", ["run", "timed"])
def test_nothing_outlives_us_when_we_are_killed(function: str) -> None:
    argv = [sys.executable, "-c", KILLED, function]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None
        pid = int(killed.stdout.readline())
        assert lives(pid)

        killed.send_signal(signal.SIGKILL)

    assert wait_for(lambda: not lives(pid))


def test_timed_run_tells_sleep_from_work(tmp_path: Path) -> None:
    asleep = process.timed(shell("sleep 0.2", tmp_path))

    assert asleep.wall >= 0.2
    assert asleep.user + asleep.system < asleep.wall / 2
    assert asleep.voluntary > 0
    assert asleep.peak_memory > 2**18


def test_wait_in_the_run_queue_is_known_for_one_process_only(tmp_path: Path) -> None:
    work = "sum(range(3_000_000))"
    inside = f"import os\nif os.fork() == 0: {work}; os._exit(0)\nos.wait()"

    alone = process.timed(python(work, tmp_path))
    family = process.timed(python(inside, tmp_path))

    assert alone.wait is not None
    assert 0 <= alone.wait < alone.wall
    assert family.wait is None


def test_timed_run_leaves_our_working_directory_alone(tmp_path: Path) -> None:
    here = Path.cwd()
    (tmp_path / "program").write_text("#!/bin/sh\npwd > where\n")
    (tmp_path / "program").chmod(0o755)

    process.timed(Command(argv=("./program",), env=ENV, cwd=tmp_path))

    assert Path.cwd() == here
    assert (tmp_path / "where").read_text() == f"{tmp_path}\n"


def test_program_is_looked_for_where_the_command_runs(tmp_path: Path) -> None:
    (tmp_path / "tool").touch(mode=0o755)
    (tmp_path / "text").touch(mode=0o644)

    assert process.which("./tool", ENV, tmp_path) == str(tmp_path / "tool")
    assert process.which("./text", ENV, tmp_path) is None
    assert process.which("tool", {"PATH": str(tmp_path)}, Path("/")) == str(tmp_path / "tool")
    assert process.which("tool", ENV, tmp_path) is None


def test_command_is_shown_as_one_would_type_it(tmp_path: Path) -> None:
    assert shell("echo 'a b'", tmp_path).line == """sh -c 'echo '"'"'a b'"'"''"""


def test_transcript_repeats_a_command_with_its_environment(tmp_path: Path) -> None:
    process.run(Command(argv=("true", "transcript test"), env={"PATH": "/bin"}, cwd=tmp_path))

    assert f"(cd {tmp_path} && env" in process.transcript()
    assert "true 'transcript test'" in process.transcript()
