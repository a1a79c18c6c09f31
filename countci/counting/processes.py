"""Which processes a run was made of, and what they add up to.

Each process image leaves an output file of its own. One that was started by an exec begins
at zero and is added. A child that was forked and never exec'd inherited what its parent had
counted so far, which would count it again: an error, unless it was made to begin at zero and
said so in the log (inside/forks.c, under callgrind). The two are told apart by valgrind's
log: it introduces itself at every exec, and never at a fork.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from countci.counting.profile import Profile
from countci.counting.syscalls import forks
from countci.errors import MeasureError
from countci.units import Instructions

_INTRODUCED = re.compile(rb"==(\d+)== Command: ([^\n]*)")
_APART = re.compile(rb"\*\*(\d+)\*\* countci: counted apart")
_FORK_HELP = (
    "a forked child inherits its parent's counts, so the sum would be wrong. Have it exec its "
    "program (in a shell: no builtin in a pipe, no parentheses, no &), "
    "or let the query do its work in one process"
)


class ForkedError(MeasureError):
    """Processes were forked without an exec, and not counted apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The processes of one run, counted together. Made by `gather`."""

    total: Instructions
    profiles: tuple[Profile, ...]
    """In the order in which they started; forked ones last."""
    forked: int = 0
    """How many of them never started a program of their own."""

    @property
    def programs(self) -> tuple[str, ...]:
        """Their commands, when there is more than one process."""
        if len(self.profiles) == 1:
            return ()
        own = len(self.profiles) - self.forked
        return (
            *(profile.command for profile in self.profiles[:own]),
            *(f"forked by {profile.command}" for profile in self.profiles[own:]),
        )


def gather(
    log: bytes, outputs: Mapping[int, Path], read: Callable[[Path], Profile], asked: str
) -> Family:
    """Return the processes of a run that ended well.

    Args:
        log: valgrind's; when it holds system calls, more is found out.
        outputs: the output file of each process, by its id.
        read: reads one of them.
        asked: the program's path and its arguments, joined by blanks.

    Raises:
        ForkedError: a process was forked without an exec, and not counted apart.
        MeasureError: a process left no count, or the first is another program; or an output
            file can't be used.
    """
    started = introduced(log)
    own = members(log, outputs, asked)
    bare = [pid for pid in own if pid not in started]
    profiles = {pid: read(outputs[pid]) for pid in own}
    _check_first(started, profiles, asked)
    total = sum(profile.total for profile in profiles.values())
    return Family(total=Instructions(total), profiles=tuple(profiles.values()), forked=len(bare))


def members(log: bytes, outputs: Mapping[int, Path], asked: str) -> tuple[int, ...]:
    """Return the processes that are counted together: in the order of their starts, forks last.

    Args:
        log: valgrind's.
        outputs: the output file of each process, by its id.
        asked: the program's path and its arguments, joined by blanks.

    Raises:
        ForkedError: a process was forked without an exec, and not counted apart.
        MeasureError: a process left no count.
    """
    started = introduced(log)
    born = forks(log)
    bare = [pid for pid in {**outputs, **born} if pid not in started]
    apart = {int(found[1]) for found in _APART.finditer(log)}
    if not apart.issuperset(bare):
        parent = born.get(bare[0])
        name = started[parent][-1] if parent in started else asked
        raise ForkedError(
            f"{len(bare)} forked without starting a program: they can't be counted",
            where=_short(name),
            detail=_FORK_HELP,
        )
    for pid in (*started, *bare):
        if pid not in outputs:
            raise MeasureError(
                "left no count: it was killed, or was still running when its parent ended",
                where=_short(started[pid][-1] if pid in started else asked),
                detail="let the query wait for all that it starts",
            )
    return (*started, *bare)


def introduced(log: bytes) -> dict[int, list[str]]:
    """Return what each process ran, one program after the other, in the order of their starts."""
    started: dict[int, list[str]] = {}
    for found in _INTRODUCED.finditer(log):
        command = found[2].decode(errors="backslashreplace")
        started.setdefault(int(found[1]), []).append(command)
    return started


def _check_first(
    started: Mapping[int, Sequence[str]], profiles: Mapping[int, Profile], asked: str
) -> None:
    if not started:
        raise MeasureError("valgrind never started the program", where=_short(asked))
    first, commands = next(iter(started.items()))
    counted = profiles[first].command
    if len(commands) == 1 and counted != asked:
        raise MeasureError(f"another program was counted: {_short(counted)}", where=_short(asked))


def _short(command: str) -> str:
    line = command.partition("\n")[0]
    return line if len(line) <= 80 else f"{line[:79]}…"
