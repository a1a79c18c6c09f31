"""A program to run, what it may see, and what became of it."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from countci.errors import MeasureError
from countci.units import Seconds

_TAIL = 2000


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
    cpus: tuple[int, ...] = ()
    """Hardware threads that it may run on; empty: wherever countci may."""
    keep: tuple[int, ...] = ()
    """File descriptors that stay open in it."""
    driven: Callable[[Command], Finished] | None = None
    """What runs it where it is counted, for a server, which doesn't end by itself."""
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


def which(name: str, env: Mapping[str, str], cwd: Path) -> str | None:
    """Return the path of the program that `name` starts there, or None."""
    if "/" in name:
        path = cwd / name
        return str(path) if path.is_file() and os.access(path, os.X_OK) else None
    return shutil.which(name, path=env.get("PATH", os.defpath))


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


@contextlib.contextmanager
def streams(command: Command) -> Iterator[tuple[IO[bytes], IO[bytes], IO[bytes]]]:
    """Open its standard input, output and error."""
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


def bytes_of(stream: IO[bytes]) -> bytes:
    """Return all that was written."""
    stream.seek(0)
    return stream.read()


def text_of(stream: IO[bytes]) -> str:
    """Return all that was written, as text; nothing of what went to a file."""
    if not stream.readable():
        return ""
    return bytes_of(stream).decode(errors="replace")


def start_problem(error: OSError) -> str:
    """Return why a program could not be started."""
    return f"can't be started: {error.strerror or error}"


def too_slow(command: Command, stderr: str) -> MeasureError:
    """Return the error of a program that took too long."""
    return MeasureError(
        f"still running after {command.timeout:g} s",
        where=command.line,
        detail=stderr[-_TAIL:].strip(),
    )
