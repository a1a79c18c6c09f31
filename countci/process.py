"""The only door to other programs.

A program gets a whole environment (nothing is inherited), a session of its own, files
instead of pipes (a background child that keeps a pipe open can't hang us), a time limit,
and no way to outlive its step: its group is killed when its leader ends, what left the
group is adopted and killed by `end_strays`, and a watchdog kills the rest should countci
itself be killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from countci.errors import MeasureError
from countci.transcript import Transcript
from countci.units import Seconds

_TAIL = 2000
_PR_SET_CHILD_SUBREAPER = 36
_CLOCK_AGREES = 0.02
_LONGEST = 2**31 - 1
"""Milliseconds that poll(2) can wait: 24 days."""
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program to run, and all that it can see."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    """The whole of it: counts depend on every byte."""
    cwd: Path
    stdin: Path | None = None
    """None: nothing to read."""
    stdout: Path | None = None
    """Where standard output goes; None: it is returned."""
    stderr: Path | None = None
    """Where standard error goes; the same path as `stdout` puts both in order into one file."""
    timeout: Seconds | None = None
    keep: tuple[int, ...] = ()
    """File descriptors that stay open in it."""
    private: bool = False
    """Its environment is the user's own, which may hold secrets: nothing of it is written down."""

    @property
    def line(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.argv)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A program that came to its end."""

    status: int
    """Exit status; below zero, the signal that killed it."""
    stdout: bytes
    """Empty when it went to a file."""
    stderr: str
    elapsed: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one timed program cost. Times in seconds."""

    status: int
    wall: float
    user: float
    system: float
    wait: float | None
    """In the run queue; None when the kernel's two clocks disagree (threads, children)."""
    voluntary: int
    involuntary: int
    faults: int
    peak_memory: int
    """Bytes."""
    processor: int


class _Living:
    """The groups that run now, and the watchdog that knows them too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leaders: set[int] = set()
        self._watchdog: subprocess.Popen[bytes] | None = None

    def watch(self) -> None:
        # Before a program is started: what it takes to start the watchdog is time in which
        # the program would outlive us.
        with self._lock:
            if self._watchdog is None or self._watchdog.poll() is not None:
                self._watchdog = _start_watchdog()
                self._tell("".join(f"+{leader}\n" for leader in self._leaders))

    def add(self, pid: int) -> None:
        with self._lock:
            self._leaders.add(pid)
            self._tell(f"+{pid}\n")

    def discard(self, pid: int) -> None:
        with self._lock:
            self._leaders.discard(pid)
            self._tell(f"-{pid}\n")

    def known(self) -> frozenset[int]:
        with self._lock:
            return frozenset(self._leaders)

    def _tell(self, lines: str) -> None:
        assert self._watchdog is not None
        assert self._watchdog.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._watchdog.stdin.write(lines.encode())
            self._watchdog.stdin.flush()


def _start_watchdog() -> subprocess.Popen[bytes]:
    """Return the running watchdog; orphans become ours from now on, so that we can end them."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    script = Path(__file__).with_name("watchdog.py")
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


_living = _Living()
_transcript = Transcript()


def transcript() -> str:
    """Return every command that was started, as lines that can be typed again."""
    return _transcript.text()


def end_all() -> None:
    """Kill everything that runs: countci was told to stop."""
    for leader in _living.known():
        _end_group(leader)


def which(name: str, env: Mapping[str, str], cwd: Path) -> str | None:
    """Return the path of the program that `name` starts there, or None."""
    if "/" in name:
        path = cwd / name
        return str(path) if path.is_file() and os.access(path, os.X_OK) else None
    return shutil.which(name, path=env.get("PATH", os.defpath))


def run(command: Command, *, check: bool = True) -> Finished:
    """Run `command` to its end, and kill what it leaves behind in its group.

    Raises:
        MeasureError: it can't be started, is still running at its time limit, or (with
            `check`) ends with a status other than 0; with the end of its standard error.
    """
    _transcript.note(command)
    _living.watch()
    start = time.perf_counter()
    with _streams(command) as (stdin, stdout, stderr):
        try:
            child = subprocess.Popen(
                command.argv,
                env=dict(command.env),
                cwd=command.cwd,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=command.keep,
                start_new_session=True,
            )
        except OSError as error:
            raise MeasureError(_start_problem(error), where=command.line) from error
        try:
            _living.add(child.pid)
            # Not by Popen's own time limit, which sleeps and looks, up to 50 ms too long.
            _wait_for_exit(child.pid, command.timeout)
        except TimeoutError as error:
            raise _too_slow(command, _text(stderr)) from error
        finally:
            _end_group(child.pid)
            status = child.wait()
            _living.discard(child.pid)
        out = b"" if command.stdout else _bytes(stdout)
        text = "" if command.stderr else _text(stderr)
    if check:
        raise_for_status(status, command, text)
    return Finished(
        status=status, stdout=out, stderr=text, elapsed=Seconds(time.perf_counter() - start)
    )


def timed(command: Command) -> Spent:
    """Run `command` to its end, alone, and return what it cost.

    The clock runs from the spawn to the exit. The process is looked at while it is a
    zombie, because its run-queue wait is gone once it is reaped.

    Raises:
        MeasureError: as `run` raises it; the status is the caller's to check.

    Source:
        `/proc/PID/schedstat`: nanoseconds on a processor, nanoseconds waiting for one
        (kernel documentation, scheduler/sched-stats). They are one thread's, so they
        count only where they agree with the resource usage, which is the whole family's.
    """
    path = which(command.argv[0], command.env, command.cwd)
    if path is None:
        raise MeasureError("no such program", where=command.line)
    _transcript.note(command)
    _living.watch()
    with _streams(command) as streams:
        start, pid = _spawn(path, command, streams)
        try:
            _living.add(pid)
            _wait_for_exit(pid, command.timeout)
            wall = time.perf_counter_ns() - start
            on, waiting = _schedstat(pid)
            processor = _processor(pid)
        except TimeoutError as error:
            raise _too_slow(command, _text(streams[2])) from error
        finally:
            _end_group(pid)
            _, code, usage = os.wait4(pid, 0)
            _living.discard(pid)
    cpu = usage.ru_utime + usage.ru_stime
    agrees = abs(on / 1e9 - cpu) <= _CLOCK_AGREES * cpu
    return Spent(
        status=os.waitstatus_to_exitcode(code),
        wall=wall / 1e9,
        user=usage.ru_utime,
        system=usage.ru_stime,
        wait=waiting / 1e9 if agrees else None,
        voluntary=usage.ru_nvcsw,
        involuntary=usage.ru_nivcsw,
        faults=usage.ru_minflt + usage.ru_majflt,
        peak_memory=usage.ru_maxrss * 1024,
        processor=processor,
    )


def _spawn(
    path: str, command: Command, streams: tuple[IO[bytes], IO[bytes], IO[bytes]]
) -> tuple[int, int]:
    """Return when the program was started, in nanoseconds, and its process."""
    actions: list[tuple[int, ...]] = [
        (os.POSIX_SPAWN_DUP2, stream.fileno(), number) for number, stream in enumerate(streams)
    ]
    actions += [(os.POSIX_SPAWN_CLOSE, number) for number in _inheritable()]
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(command.cwd)  # posix_spawn takes no working directory
        return time.perf_counter_ns(), os.posix_spawn(
            path,
            command.argv,
            dict(command.env),
            file_actions=actions,
            setsid=True,
            setsigdef=_IGNORED_BY_PYTHON,
        )
    except OSError as error:
        raise MeasureError(_start_problem(error), where=command.line) from error
    finally:
        os.fchdir(here)
        os.close(here)


def _inheritable() -> list[int]:
    """Return what countci's own parent left open for its children: make does, for one."""
    found = []
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - names only, and often
        with contextlib.suppress(OSError):
            if int(name) > 2 and os.get_inheritable(int(name)):
                found.append(int(name))
    return found


def raise_for_status(status: int, command: Command, stderr: str) -> None:
    """Raise a MeasureError that names a status other than 0, with the end of standard error."""
    if status == 0:
        return
    if status < 0:
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        problem = f"killed by signal {-status} ({name})"
    else:
        problem = f"exit status {status}"
    raise MeasureError(problem, where=command.line, detail=stderr[-_TAIL:].strip())


def end_strays() -> None:
    """Kill what a finished program left behind outside its group (a daemon of its own session)."""
    us, session = os.getpid(), os.getsid(0)
    for _ in range(100):  # each death may hand us its children
        strays = [
            pid for pid in _children(us) if pid not in _living.known() and _session(pid) != session
        ]
        watchdog = _living._watchdog  # noqa: SLF001 - the one child that lives on
        strays = [pid for pid in strays if watchdog is None or pid != watchdog.pid]
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


@contextlib.contextmanager
def _streams(command: Command) -> Iterator[tuple[IO[bytes], IO[bytes], IO[bytes]]]:
    with contextlib.ExitStack() as stack:
        stdin = stack.enter_context((command.stdin or Path(os.devnull)).open("rb"))
        stdout = stack.enter_context(_sink(command.stdout))
        if command.stderr is not None and command.stderr == command.stdout:
            stderr = stdout
        else:
            stderr = stack.enter_context(_sink(command.stderr))
        yield stdin, stdout, stderr


def _sink(path: Path | None) -> IO[bytes]:
    return tempfile.TemporaryFile() if path is None else path.open("wb")


def _bytes(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read()


def _text(stream: IO[bytes]) -> str:
    if not stream.readable():
        return ""
    return _bytes(stream).decode(errors="replace")


def _start_problem(error: OSError) -> str:
    return f"can't be started: {error.strerror or error}"


def _too_slow(command: Command, stderr: str) -> MeasureError:
    return MeasureError(
        f"still running after {command.timeout:g} s",
        where=command.line,
        detail=stderr[-_TAIL:].strip(),
    )


def _end_group(pid: int) -> None:
    # Its whole group: a grandchild left behind takes time from later runs.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _wait_for_exit(pid: int, timeout: Seconds | None) -> None:
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        if not poll.poll(None if timeout is None else min(timeout * 1000, _LONGEST)):
            raise TimeoutError
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    finally:
        os.close(handle)


def _schedstat(pid: int) -> tuple[int, int]:
    """Return nanoseconds on a processor and waiting for one; zeros where the kernel has none."""
    try:
        fields = Path(f"/proc/{pid}/schedstat").read_text().split()
    except OSError:
        return 0, 0
    return int(fields[0]), int(fields[1])


def _processor(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[36])
    except (OSError, IndexError):
        return -1


def _children(parent: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - names only, and often
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123
                if int(stat.read().rpartition(b")")[2].split()[1]) == parent:
                    found.append(int(name))
    return found


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return -1
