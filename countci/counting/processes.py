"""Which processes a run was made of, and what they add up to.

Each process image leaves an output file of its own. One that was started by an exec begins
at zero and is added. A child that was forked and never exec'd inherited what its parent had
counted so far, which would count it again: an error. The two are told apart by valgrind's
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
_FORK_HELP = (
    "a forked child inherits its parent's counts, so the sum would be wrong. Have it exec its "
    "program (in a shell: no builtin in a pipe, no parentheses, no &), "
    "or let the query do its work in one process"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The processes of one run, counted together. Made by `gather`."""

    total: Instructions
    profiles: tuple[Profile, ...]
    """In the order in which they started."""

    @property
    def programs(self) -> tuple[str, ...]:
        """Their commands, when there is more than one process."""
        if len(self.profiles) == 1:
            return ()
        return tuple(profile.command for profile in self.profiles)


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
        MeasureError: a process was forked without an exec, or left no count, or the first is
            another program; or an output file can't be used.
    """
    started = introduced(log)
    born = forks(log)
    bare = [pid for pid in {**outputs, **born} if pid not in started]
    if bare:
        parent = born.get(bare[0])
        name = started[parent][-1] if parent in started else asked
        raise MeasureError(
            f"{len(bare)} forked without starting a program: they can't be counted",
            where=_short(name),
            detail=_FORK_HELP,
        )
    for pid, commands in started.items():
        if pid not in outputs:
            raise MeasureError(
                "left no count: it was killed, or was still running when its parent ended",
                where=_short(commands[-1]),
                detail="let the query wait for all that it starts",
            )
    profiles = {pid: read(outputs[pid]) for pid in started}
    _check_first(started, profiles, asked)
    total = sum(profile.total for profile in profiles.values())
    return Family(total=Instructions(total), profiles=tuple(profiles.values()))


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
