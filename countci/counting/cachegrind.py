"""The command line of cachegrind; and of callgrind, which a program can tell to begin anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from countci import process
from countci.errors import MeasureError
from countci.process import Command
from countci.units import Seconds

Tool: TypeAlias = Literal["cachegrind", "callgrind"]
Mode: TypeAlias = Literal["cachegrind", "callgrind", "simulation"]
"""How a tool is run: `simulation` is cachegrind with caches and branches."""
SLOWER: dict[Mode, int] = {"cachegrind": 25, "callgrind": 80, "simulation": 75}
"""A counted run may take this many times a native one's time limit: 3 (C) to 27 (Python)."""

_FLAGS = (
    "--cache-sim=no",  # the default changed with 3.21; simulation doubles the time
    "--branch-sim=no",
    "--vex-guest-chase=no",  # else the second condition of `a && b` counts where it never runs
    "--trace-children=yes",  # else a program that execs leaves no count, and status 0
    "--fair-sched=try",
    "--vgdb=no",
)
_FLAGS_OF: dict[Mode, tuple[str, ...]] = {
    "cachegrind": (),
    "callgrind": (
        "--compress-strings=no",
        "--compress-pos=no",
        "--separate-recs=1",  # one name a function, however deep it calls itself
    ),
    "simulation": (  # where a flag is given twice, the later one holds
        "--cache-sim=yes",
        "--branch-sim=yes",
        "--I1=32768,8,64",  # all three, else valgrind takes the machine's own
        "--D1=32768,8,64",
        "--LL=8388608,16,64",
    ),
}
_PREFIX = "cg."


def find(env: Mapping[str, str], cwd: Path) -> str:
    """Return the path of valgrind.

    Raises:
        MeasureError: there is none.
    """
    path = process.which("valgrind", env, cwd)
    if path is None:
        raise MeasureError(
            "valgrind is not there: nothing can be counted", detail="apt-get install valgrind"
        )
    return path


def wrap(
    command: Command, *, out: Path, trace: bool, valgrind: str, tool: Mode = "cachegrind"
) -> Command:
    """Return the command that runs `command` counted.

    Args:
        command: the program, native.
        out: a folder that takes `cg.PID` of each process; `log` in it is a pipe.
        trace: log every system call as well; the counts are the same.
        valgrind: its path.
        tool: which of its tools counts, and how.

    Raises:
        MeasureError: there is no such program.
    """
    name = "cachegrind" if tool == "simulation" else tool
    file = f"--{name}-out-file={_escaped(out)}/{_PREFIX}%p"
    flags = (f"--tool={name}", *_FLAGS, *_FLAGS_OF[tool], file)
    return _under(command, (valgrind, *flags, *_log(out, trace=trace)), SLOWER[tool])


def watch(command: Command, *, out: Path, valgrind: str) -> Command:
    """Return the command that runs `command` traced and not counted, children included.

    Raises:
        MeasureError: there is no such program.
    """
    flags = ("--tool=none", "--trace-children=yes", "--fair-sched=try", "--vgdb=no")
    return _under(command, (valgrind, *flags, *_log(out, trace=True)), SLOWER["cachegrind"])


def program(command: Command) -> str:
    """Return the path of the program that `command` starts.

    Raises:
        MeasureError: there is no such program.
    """
    path = process.which(command.argv[0], command.env, command.cwd)
    if path is None:
        raise MeasureError(
            f"no such program: {command.argv[0]}",
            where=command.line,
            detail="a path is relative to the top of the repository, as it is after the build",
        )
    return path


def _under(command: Command, valgrind: tuple[str, ...], slower: int) -> Command:
    limit = None if command.timeout is None else Seconds(command.timeout * slower)
    return replace(command, argv=(*valgrind, program(command), *command.argv[1:]), timeout=limit)


def _log(out: Path, *, trace: bool) -> list[str]:
    return [
        f"--log-file={_escaped(out)}/log",
        "--command-line-only=yes",  # else a .valgrindrc of the tree could change what is counted
        *(["--trace-syscalls=yes"] if trace else []),
    ]


def _escaped(folder: Path) -> str:
    return str(folder).replace("%", "%%")  # valgrind fills in %p and the like


def outputs(out: Path) -> dict[int, Path]:
    """Return the output files in a folder, by the id of their process."""
    names = (path for path in out.iterdir() if path.name.startswith(_PREFIX))
    return {int(path.name.removeprefix(_PREFIX)): path for path in names}
