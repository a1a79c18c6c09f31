"""A program that runs while something else happens: a server under load."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from countci.errors import MeasureError
from countci.process.command import Command, start_problem
from countci.process.deadline import deadline
from countci.process.family import Member, family
from countci.process.living import end_group, living
from countci.process.placing import on_processors
from countci.process.running import started
from countci.units import Seconds

_LOOK = 0.01
_KILLED = 5.0
"""Seconds that a killed process may take to be gone: the kernel frees its memory first."""


@dataclass(kw_only=True)
class Background:
    """A program that was started and may still run. Made by `background`."""

    command: Command
    mark: str
    """`NAME=VALUE` in the environment of all its processes, and of no other's."""
    _child: subprocess.Popen[bytes]
    killed: bool = False
    """It didn't end within its time after SIGTERM."""
    left: tuple[str, ...] = ()
    """What still ran once it had ended, as `command (pid)`; it is killed."""
    _seen: set[Member] = field(default_factory=set)

    @property
    def pid(self) -> int:
        """Its first process."""
        return self._child.pid

    @property
    def status(self) -> int | None:
        """Exit status, below zero for a signal; None while it runs."""
        return self._child.poll()

    def wait(self, limit: Seconds) -> int | None:
        """Return its status once it has ended; None if it still runs after `limit`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(limit)
        return self.status

    def check_time(self) -> None:
        """Raise a MeasureError when the time of the whole run is over."""
        deadline.check(where=self.command.line)

    def members(self) -> tuple[Member, ...]:
        """Return its processes that run now, children and daemons included."""
        found = family(self.pid, self.mark)
        self._seen.update(found)
        return found

    def stop(self, grace: Seconds) -> None:
        """End it, by SIGTERM and later by SIGKILL, and whatever of it is left.

        Args:
            grace: how long it, and then its children, may take to end by themselves.
        """
        self.members()
        if self.status is None:
            self._child.send_signal(signal.SIGTERM)
            self.killed = self.wait(grace) is None
        if self.killed:
            self._kill_all()
            return
        self._wait_for_children(time.monotonic() + min(grace, 1.0))
        self.left = tuple(str(each) for each in self._others())
        self._kill_all()

    def _wait_for_children(self, end: float) -> None:
        while self._others() and time.monotonic() < end:
            time.sleep(_LOOK)

    def _others(self) -> list[Member]:
        """Return all that runs but its first process."""
        others = {each for each in self._seen if each.runs} | set(self.members())
        return sorted(each for each in others if each.pid != self.pid)

    def _kill_all(self) -> None:
        end_group(self.pid)
        end = time.monotonic() + _KILLED
        while (others := self._others()) and time.monotonic() < end:
            for each in others:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(each.pid, signal.SIGKILL)
            time.sleep(_LOOK)
        self._child.wait()
        for each in self._seen:  # what we adopted is ours to reap
            with contextlib.suppress(ChildProcessError):
                os.waitpid(each.pid, os.WNOHANG)


@contextlib.contextmanager
def background(
    command: Command, *, grace: Seconds, mark: tuple[str, str], cpus: Collection[int] = ()
) -> Iterator[Background]:
    """Run `command` while the block lasts; then nothing of it is left, however it ends.

    Args:
        command: writes to files: `stdout` and `stderr` must be set. Its time limit is the
            block's affair.
        grace: as `stop` says it, for a block that didn't stop it.
        mark: name and value of a variable that is added to its environment.
        cpus: processors that it may use; all when empty.

    Raises:
        MeasureError: it can't be started.
    """
    assert command.stdout is not None, "a pipe that nobody reads would stop it"
    deadline.check(where=command.line)
    started.note(command)
    living.watch()
    with contextlib.ExitStack() as stack:
        stdout = stack.enter_context(command.stdout.open("wb"))
        stderr = stdout
        if command.stderr not in {None, command.stdout}:
            assert command.stderr is not None
            stderr = stack.enter_context(command.stderr.open("wb"))
        child = _start(command, mark, cpus, (stdout, stderr))
        living.add(child.pid)
        found = Background(command=command, mark="=".join(mark), _child=child)
        try:
            yield found
        finally:
            try:
                found.stop(grace)
            finally:
                end_group(child.pid)
                child.wait()
                living.discard(child.pid)


def _start(
    command: Command,
    mark: tuple[str, str],
    cpus: Collection[int],
    outputs: tuple[IO[bytes], IO[bytes]],
) -> subprocess.Popen[bytes]:
    with on_processors(cpus), (command.stdin or Path(os.devnull)).open("rb") as stdin:
        try:
            return subprocess.Popen(
                command.argv,
                env={**command.env, mark[0]: mark[1]},
                cwd=command.cwd,
                stdin=stdin,
                stdout=outputs[0],
                stderr=outputs[1],
                pass_fds=command.keep,
                start_new_session=True,
            )
        except OSError as error:
            raise MeasureError(start_problem(error), where=command.line) from error
