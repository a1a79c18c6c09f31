"""One counted run: a command under cachegrind, its processes added up."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

import countci.counting.cachegrind as cachegrind
import countci.counting.callgrind as callgrind
import countci.counting.failures as failures
import countci.counting.shims as shims
from countci import process
from countci.counting.environment import with_scratch
from countci.counting.listener import Log, listening
from countci.counting.processes import Family, gather, introduced
from countci.counting.profile import Profile, parse
from countci.counting.readset import LARGEST_LOG
from countci.errors import MeasureError
from countci.model import Output
from countci.process import Command, Finished

_HELP_SLOW = (
    "counting takes about 25 times as long as a plain run: a smaller input, fewer repeats in "
    "one ask, or a longer `timeout` in the query file"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A counted run that ended well."""

    family: Family
    output: Output
    log: Log
    """Valgrind's."""
    ended: float
    """On the clock of `time.monotonic`."""
    files: tuple[Path, ...] = ()
    """What each process left behind."""


def prepared(command: Command, folder: Path) -> Command:
    """Return `command` with its files in a new `folder`: a fresh standard output, scratch space.

    What a program counts depends on what its output is: always a file of its own.
    """
    scratch = folder / "tmp"
    scratch.mkdir(parents=True)
    return replace(
        command, env=with_scratch(command.env, scratch), stdout=folder / "stdout", stderr=None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """What counts."""

    valgrind: str
    """Its path."""
    forks: Path | None = None
    """The library by which callgrind counts forked children apart; None: cachegrind counts."""
    calls: bool = False
    """Calls are counted as well, by callgrind."""
    simulated: bool = False
    """Misses of caches and branches are counted as well, by cachegrind."""

    @property
    def tool(self) -> cachegrind.Tool:
        """The tool of valgrind's."""
        return "callgrind" if self.forks or self.calls else "cachegrind"

    @property
    def mode(self) -> cachegrind.Mode:
        """How it is run."""
        return "simulation" if self.simulated else self.tool

    def read(self, path: Path) -> Profile:
        """Return what one process left behind."""
        parse_file = callgrind.parse if self.tool == "callgrind" else parse
        return parse_file(path.read_bytes(), name=path.name)


def run(command: Command, folder: Path, *, trace: bool, counter: Counter) -> Ran:
    """Return what `command` counted.

    Args:
        command: the program, native.
        folder: is made, and takes all that the run writes; its name's length is part of the
            environment.
        trace: log every system call.
        counter: what counts.

    Raises:
        ForkedError: its children could be counted, by callgrind.
        MeasureError: the program failed, or what was counted is not the whole of it.
    """
    native = prepared(_preloaded(command, counter.forks), folder)
    counted = cachegrind.wrap(
        native, out=folder, trace=trace, valgrind=counter.valgrind, tool=counter.mode
    )
    with listening(folder / "log", LARGEST_LOG) as log:
        try:
            finished = (counted.driven or _to_its_end)(counted)
        except MeasureError as error:
            help_ = _HELP_SLOW if "still running" in error.problem else error.detail
            raise MeasureError(error.problem, where=command.line, detail=help_) from error
    ended = time.monotonic()
    failures.check(finished, log.last, command)
    if log.cut:  # what it says of the processes may be among what was not kept
        again = folder.with_name("_" * len(folder.name))
        return replace(run(command, again, trace=False, counter=counter), log=log)
    _refuse_shims(bytes(log.data), command)
    asked = " ".join(counted.argv[len(counted.argv) - len(command.argv) :])
    outputs = cachegrind.outputs(folder)
    family = gather(
        bytes(log.data),
        outputs,
        counter.read,
        os.fsencode(asked).decode(errors="backslashreplace"),
    )
    return Ran(
        family=family,
        output=_output(folder / "stdout"),
        log=log,
        ended=ended,
        files=tuple(outputs.values()),
    )


def _to_its_end(counted: Command) -> Finished:
    return process.run(counted, check=False)


def _preloaded(command: Command, library: Path | None) -> Command:
    if library is None:
        return command
    others = filter(None, [command.env.get("LD_PRELOAD")])
    env = {**command.env, "LD_PRELOAD": ":".join([str(library), *others])}
    return replace(command, env=env)


def _refuse_shims(log: bytes, command: Command) -> None:
    programs = [each for commands in introduced(log).values() for each in commands]
    if shim := shims.shim_among(programs):
        raise MeasureError(
            "a version manager's shim would be counted with it",
            where=command.line,
            detail=f"{shim}\nwrite the path of the real program",
        )


def _output(path: Path) -> Output:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256")
    return Output(digest=digest.hexdigest(), size=path.stat().st_size)
