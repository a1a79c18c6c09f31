"""The most memory that a program held, however little: by a run of its own, which isn't timed."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from countci.process.clocked import spawn
from countci.process.command import Command, raise_for_status, streams, text_of, too_slow
from countci.process.deadline import deadline
from countci.process.living import end_group, living, wait_for_exit
from countci.process.running import started

# The shell forks the program, says which process that is, and leaves it to us.
_SCRIPT = 'exec 5<&0; "$@" <&5 5<&- & echo $! >"$0"'
_HELD = "VmHWM:"


def own_peak() -> int:
    """Return the most memory that countci held so far, in bytes.

    The kernel says at least this of what countci starts: it goes by the process, which was a
    part of countci until its exec.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(_HELD):
            return int(line.split()[1]) * 1024
    return 0


def peak_memory(command: Command) -> int:
    """Return the most memory that `command` held, in bytes: it, or the largest of its children.

    Raises:
        MeasureError: as `run` raises it.

    Source:
        `ru_maxrss` of wait4(2): not below what the process held before its exec, which is a
        megabyte where a shell starts it.
    """
    timeout = deadline.cap(command.timeout, where=command.line)
    started.note(command)
    living.watch()
    with streams(command) as three, tempfile.NamedTemporaryFile() as told:
        shell = replace(command, argv=("sh", "-c", _SCRIPT, told.name, *command.argv))
        _, leader = spawn("/bin/sh", shell, three)
        living.add(leader)
        os.waitpid(leader, 0)
        pid = int(told.read())
        try:
            wait_for_exit(pid, timeout)
        except TimeoutError as error:
            deadline.check(where=command.line)
            raise too_slow(command, text_of(three[2])) from error
        finally:
            end_group(leader)
            _, code, usage = os.wait4(pid, 0)
            living.discard(leader)
        raise_for_status(os.waitstatus_to_exitcode(code), command, text_of(three[2]))
    return usage.ru_maxrss * 1024
