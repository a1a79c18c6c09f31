"""One program, run to its end."""

from __future__ import annotations

import subprocess
import time

from countci.errors import MeasureError
from countci.process.command import (
    Command,
    Finished,
    bytes_of,
    raise_for_status,
    start_problem,
    streams,
    text_of,
    too_slow,
)
from countci.process.deadline import deadline
from countci.process.living import end_group, living, wait_for_exit
from countci.process.placing import on_processors
from countci.transcript import Transcript
from countci.units import Seconds

started = Transcript()
"""Every command of this run."""


def run(command: Command, *, check: bool = True) -> Finished:
    """Run `command` to its end, and kill what it leaves behind in its group.

    Raises:
        MeasureError: it can't be started, is still running at its time limit, or (with
            `check`) ends with a status other than 0; with the end of its standard error.
            Or the time of `within` is over.
    """
    timeout = deadline.cap(command.timeout, where=command.line)
    started.note(command)
    living.watch()
    start = time.perf_counter()
    with streams(command) as (stdin, stdout, stderr):
        try:
            with on_processors(command.cpus):
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
            raise MeasureError(start_problem(error), where=command.line) from error
        try:
            living.add(child.pid)
            # Not by Popen's own time limit, which sleeps and looks, up to 50 ms too long.
            wait_for_exit(child.pid, timeout)
        except TimeoutError as error:
            deadline.check(where=command.line)
            raise too_slow(command, text_of(stderr)) from error
        finally:
            end_group(child.pid)
            status = child.wait()
            living.discard(child.pid)
        out = b"" if command.stdout else bytes_of(stdout)
        text = "" if command.stderr else text_of(stderr)
    if check:
        raise_for_status(status, command, text)
    return Finished(
        status=status, stdout=out, stderr=text, elapsed=Seconds(time.perf_counter() - start)
    )
