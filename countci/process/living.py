"""What runs now, and how it ends: nothing outlives its step, nor countci itself."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
from pathlib import Path

from countci.units import Seconds

_PR_SET_CHILD_SUBREAPER = 36
_LONGEST = 2**31 - 1
"""Milliseconds that poll(2) can wait: 24 days."""


class Living:
    """The groups that run now, and the watchdog that knows them too."""

    def __init__(self) -> None:
        """Begin with nothing; the watchdog comes with the first program."""
        self._lock = threading.Lock()
        self._leaders: set[int] = set()
        self._pipe = -1
        self.watchdog = 0
        """Its process; 0 before there is one."""

    def watch(self) -> None:
        """Have a watchdog: before a program starts, for it would outlive us meanwhile."""
        with self._lock:
            if not self.watchdog or os.waitpid(self.watchdog, os.WNOHANG)[0]:
                self.watchdog, self._pipe = _start_watchdog(self._pipe)
                self._tell("".join(f"+{leader}\n" for leader in self._leaders))

    def add(self, pid: int) -> None:
        """Take in the leader of a new group."""
        with self._lock:
            self._leaders.add(pid)
            self._tell(f"+{pid}\n")

    def discard(self, pid: int) -> None:
        """Forget a group that has ended."""
        with self._lock:
            self._leaders.discard(pid)
            self._tell(f"-{pid}\n")

    def known(self) -> frozenset[int]:
        """Return the leaders of all groups."""
        with self._lock:
            return frozenset(self._leaders)

    def _tell(self, lines: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self._pipe, lines.encode())


def _start_watchdog(before: int) -> tuple[int, int]:
    """Return the running watchdog, and the pipe that it reads; `before` was the last one's.

    Orphans become ours from now on, so that we can end them.
    """
    if before >= 0:
        os.close(before)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    script = str(Path(__file__).with_name("watchdog.py"))
    reads, writes = os.pipe()
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-S", script],
        {},
        file_actions=[(os.POSIX_SPAWN_DUP2, reads, 0), *nothing],
        setsid=True,
    )
    os.close(reads)
    return pid, writes


living = Living()


def end_all() -> None:
    """Kill everything that runs: countci was told to stop."""
    for leader in living.known():
        end_group(leader)


def end_strays() -> None:
    """Kill what a finished program left behind outside its group (a daemon of its own session)."""
    us, session = os.getpid(), os.getsid(0)
    for _ in range(100):  # each death may hand us its children
        strays = [
            pid for pid in _children(us) if pid not in living.known() and _session(pid) != session
        ]
        strays = [pid for pid in strays if pid != living.watchdog]  # the one that lives on
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def end_group(pid: int) -> None:
    """Kill a whole group: a grandchild left behind takes time from later runs."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def wait_for_exit(pid: int, timeout: Seconds | None) -> None:
    """Wait until a child has ended, and leave it a zombie.

    Raises:
        TimeoutError: it still runs.
    """
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        if not poll.poll(None if timeout is None else min(timeout * 1000, _LONGEST)):
            raise TimeoutError
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    finally:
        os.close(handle)


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
