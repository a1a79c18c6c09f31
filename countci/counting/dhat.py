"""Allocations and their bytes, counted by valgrind's DHAT: calls of malloc, realloc, new, ..."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

import countci.counting.failures as failures
from countci import process
from countci.counting.cachegrind import SLOWER, find, program
from countci.counting.listener import listening
from countci.counting.processes import ForkedError, members
from countci.counting.run import prepared
from countci.errors import MeasureError
from countci.process import Command
from countci.units import Seconds

_PREFIX = "dhat."
_LOG = 4 * 2**20
"""Bytes that are kept of what valgrind says of the processes: no system calls are in it."""
_FORKED = "a forked child inherits what its parent had allocated, and DHAT can't tell it apart"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocated:
    """What processes allocated, whether they freed it or not."""

    blocks: int
    size: int
    """Bytes, as they were asked for."""


class _Place(msgspec.Struct, frozen=True):
    tb: int
    tbk: int


class _File(msgspec.Struct, frozen=True):
    pps: tuple[_Place, ...]
    mode: str = "heap"


def wrap(command: Command, *, out: Path, valgrind: str) -> Command:
    """Return the command that runs `command` with its allocations counted.

    Args:
        command: the program, native.
        out: a folder that takes `dhat.PID` of each process; `log` in it is a pipe.
        valgrind: its path.

    Raises:
        MeasureError: there is no such program.
    """
    folder = str(out).replace("%", "%%")  # valgrind fills in %p and the like
    argv = (
        valgrind,
        "--tool=dhat",
        "--trace-children=yes",
        "--fair-sched=try",
        "--vgdb=no",
        "--num-callers=2",  # who called does not matter; with 1, valgrind 3.24 writes no JSON
        f"--dhat-out-file={folder}/{_PREFIX}%p",
        f"--log-file={folder}/log",
        "--command-line-only=yes",
        program(command),
        *command.argv[1:],
    )
    limit = None if command.timeout is None else Seconds(command.timeout * SLOWER["callgrind"])
    return replace(command, argv=argv, timeout=limit)


def run(command: Command, folder: Path) -> Allocated:
    """Return what `command` allocated, the programs that it started included.

    Args:
        command: the program, native.
        folder: is made, and takes all that the run writes.

    Raises:
        ForkedError: a child was forked without starting a program.
        MeasureError: the program failed, or what was counted is not the whole of it.
    """
    valgrind = find(command.env, command.cwd)
    counted = wrap(prepared(command, folder), out=folder, valgrind=valgrind)
    with listening(folder / "log", _LOG) as log:
        finished = process.run(counted, check=False)
    failures.check(finished, log.last, command)
    files = {
        int(path.name.removeprefix(_PREFIX)): path
        for path in folder.iterdir()
        if path.name.startswith(_PREFIX)
    }
    asked = " ".join(counted.argv[-len(command.argv) :])
    name = os.fsencode(asked).decode(errors="backslashreplace")
    try:
        own = members(bytes(log.data), files, name)
    except ForkedError as error:
        raise ForkedError(error.problem, where=error.where, detail=_FORKED) from error
    return added(parse(files[pid].read_bytes(), name=files[pid].name) for pid in own)


def parse(content: bytes, *, name: str) -> Allocated:
    """Return what one process allocated.

    Args:
        content: DHAT's file.
        name: the file's, for messages.

    Raises:
        MeasureError: it is not a whole one of the heap.

    Source:
        Valgrind manual, "DHAT Output File Format": `tb` and `tbk`, total bytes and blocks.
    """
    try:
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MeasureError(f"not a whole file of DHAT's: {error}", where=name) from error
    if file.mode != "heap":
        raise MeasureError(f"DHAT profiled {file.mode}, not the heap", where=name)
    return added(Allocated(blocks=place.tbk, size=place.tb) for place in file.pps)


def added(parts: Iterable[Allocated]) -> Allocated:
    """Return the sum."""
    every = list(parts)
    return Allocated(
        blocks=sum(each.blocks for each in every), size=sum(each.size for each in every)
    )
