"""System calls, counted by strace: what the program asks the kernel for when it runs natively.

Valgrind's own trace is not the same: it hides the vDSO, so that every look at the clock becomes
a call, lets threads take turns, and would have to keep a line of each call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from countci import process
from countci.counting.cachegrind import SLOWER, program
from countci.counting.run import prepared
from countci.errors import MeasureError
from countci.process import Command
from countci.units import Seconds

_COLUMNS = 6
_REFUSED = re.compile(r"^strace: .*(?:ptrace|PTRACE)", re.MULTILINE)


def find(env: Mapping[str, str], cwd: Path) -> str:
    """Return the path of strace.

    Raises:
        MeasureError: there is none.
    """
    path = process.which("strace", env, cwd)
    if path is None:
        raise MeasureError(
            "strace is not there: system calls can't be counted",
            detail="apt-get install strace",
        )
    return path


def wrap(command: Command, *, out: Path, strace: str) -> Command:
    """Return the command that runs `command` and all its children with their calls counted.

    Args:
        command: the program, native.
        out: the file that takes the table.
        strace: its path.

    Raises:
        MeasureError: there is no such program.
    """
    limit = None if command.timeout is None else Seconds(command.timeout * SLOWER["cachegrind"])
    argv = (strace, "-f", "-c", "-o", str(out), program(command), *command.argv[1:])
    return replace(command, argv=argv, timeout=limit)


def run(command: Command, folder: Path) -> int:
    """Return how many system calls `command` made, its children and threads included.

    Args:
        command: the program, native.
        folder: is made, and takes all that the run writes.

    Raises:
        MeasureError: it failed, or may not be traced here.
    """
    strace = find(command.env, command.cwd)
    native = prepared(command, folder)
    out = folder / "calls"
    finished = process.run(wrap(native, out=out, strace=strace), check=False)
    if finished.status and _REFUSED.search(finished.stderr):
        raise MeasureError(
            "strace may not trace a program here",
            where=command.line,
            detail=f"{finished.stderr.strip()}\nin a container: --cap-add=SYS_PTRACE",
        )
    process.raise_for_status(finished.status, command, finished.stderr)
    return parse(out.read_bytes(), name=command.line)


def parse(table: bytes, *, name: str) -> int:
    """Return the sum of the calls in strace's table.

    Args:
        table: what `strace -c` wrote.
        name: what was counted, for messages.

    Raises:
        MeasureError: a line is malformed, the last one is missing, or is not the sum of the rest.

    Source:
        strace(1), `-c`. The line below the heading rules the columns off: % time, seconds,
        usecs/call (older ones leave it out of the last line), calls, errors if any, name.
    """
    rule = next((line for line in table.splitlines() if line.startswith(b"---")), b"")
    ends = [found.end() for found in re.finditer(rb"-+", rule)]
    rows = [line for line in table.splitlines() if line.strip(b" -") and not line.startswith(b"%")]
    if len(ends) != _COLUMNS or not rows:
        raise MeasureError("strace's table is not whole", where=name)
    *calls, total = [_calls(row, ends, name) for row in rows]
    if not rows[-1].endswith(b" total") or sum(calls) != total:
        raise MeasureError(
            f"strace's table ends with {total:,}, its lines add up to {sum(calls):,}", where=name
        )
    return total


def _calls(row: bytes, ends: list[int], name: str) -> int:
    number = row[ends[2] : ends[3]].strip()
    if not number.isdigit():
        raise MeasureError(f"malformed line {row.decode(errors='replace')!r}", where=name)
    return int(number)
