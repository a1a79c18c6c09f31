"""One program, run to its end alone, and what it cost."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import IO

from countci.errors import MeasureError
from countci.process.command import (
    Command,
    Spent,
    start_problem,
    streams,
    text_of,
    too_slow,
    which,
)
from countci.process.deadline import deadline
from countci.process.living import end_group, living, wait_for_exit
from countci.process.placing import on_processors
from countci.process.running import started

_CLOCK_AGREES = 0.02
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


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
    timeout = deadline.cap(command.timeout, where=command.line)
    started.note(command)
    living.watch()
    with streams(command) as three:
        start, pid = spawn(path, command, three)
        try:
            living.add(pid)
            wait_for_exit(pid, timeout)
            wall = time.perf_counter_ns() - start
            on, waiting = _schedstat(pid)
            processor = _processor(pid)
        except TimeoutError as error:
            deadline.check(where=command.line)
            raise too_slow(command, text_of(three[2])) from error
        finally:
            end_group(pid)
            _, code, usage = os.wait4(pid, 0)
            living.discard(pid)
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


def spawn(
    path: str, command: Command, three: tuple[IO[bytes], IO[bytes], IO[bytes]]
) -> tuple[int, int]:
    """Return when the program was started, in nanoseconds, and its process."""
    actions: list[tuple[int, ...]] = [
        (os.POSIX_SPAWN_DUP2, stream.fileno(), number) for number, stream in enumerate(three)
    ]
    actions += [(os.POSIX_SPAWN_CLOSE, number) for number in _inheritable()]
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(command.cwd)  # posix_spawn takes no working directory
        with on_processors(command.cpus):
            return time.perf_counter_ns(), os.posix_spawn(
                path,
                command.argv,
                dict(command.env),
                file_actions=actions,
                setsid=True,
                setsigdef=_IGNORED_BY_PYTHON,
            )
    except OSError as error:
        raise MeasureError(start_problem(error), where=command.line) from error
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
