"""What of the stage a query read: from the log of its system calls to paths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import countci.counting.elf as elf
from countci.counting.links import Walker
from countci.counting.syscalls import events, forks
from countci.counting.touched import Touched, follow
from countci.model import ReadSet

LARGEST_LOG = 64 * 2**20
"""Bytes; a log that is longer is not read."""
_OWN_PROGRAM = re.compile(r"/proc/[^/]+/exe")
_BY_PROCESS = re.compile(r"/proc/[^/]+/(cwd|root)(/|$)")
_NO_FILES = ("/proc/", "/sys/", "/dev/")
_SHEBANG_SIZE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a traced run did with files."""

    reads: ReadSet
    written: tuple[str, ...]
    """Paths under the stage that it made, changed or removed; sorted."""


def read_set(log: bytes, *, stage: Path, cwd: Path, program: str, cut: bool = False) -> Trace:
    """Return what the processes of a traced run touched, while the stage is still as they saw it.

    Args:
        log: valgrind's, with `--trace-syscalls=yes`.
        stage: the tree.
        cwd: the working directory of the first process.
        program: path of the first program; its start is not in the log.
        cut: the log is not whole.
    """
    touched = follow(events(log), start=str(cwd), parents=forks(log))
    touched.executed.add(program)
    touched.looked_up.add(program)
    resolver = _Resolver(stage)
    resolver.add_started(touched.executed)
    unknown = "its log of system calls is too long" if cut else touched.unknown
    unknown = unknown or _by_other_names(touched) or resolver.read_as_data(touched)
    paths = resolver.inside(touched.looked_up)
    paths |= {f"{folder}/" for folder in resolver.ends(touched.listed)}
    if any(path.split("/")[0] == ".git" for path in paths):
        unknown = unknown or "it looks into .git"
    reads = ReadSet(
        paths=_printable(paths),
        outside=_printable(resolver.outside(touched)),
        unknown=unknown,
    )
    return Trace(reads=reads, written=_printable(resolver.ends(touched.changed)))


def _printable(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths sorted; bytes that are no UTF-8 can't go into a report."""
    return tuple(sorted(os.fsencode(path).decode(errors="backslashreplace") for path in paths))


def united(first: ReadSet, second: ReadSet) -> ReadSet:
    """Return what either read: a query's own processes and its suite's setup."""
    return ReadSet(
        paths=tuple(sorted({*first.paths, *second.paths})),
        outside=tuple(sorted({*first.outside, *second.outside})),
        unknown=first.unknown or second.unknown,
    )


def _by_other_names(touched: Touched) -> str:
    """Return why files may have been read under names that aren't theirs."""
    if any(_OWN_PROGRAM.fullmatch(path) for path in touched.opened):
        return "a program reads its own file"
    if any(_BY_PROCESS.match(path) for path in touched.looked_up):
        return "it names files by a process's folder in /proc"
    return ""


class _Resolver:
    """Says what absolute paths mean for one stage."""

    def __init__(self, stage: Path) -> None:
        self._stage = str(stage)
        self._walker = Walker()
        self._started: set[str] = set()

    def add_started(self, programs: Iterable[str]) -> None:
        """Take in what the kernel opens on its own: the interpreters of programs."""
        waiting = list(programs)
        while waiting:
            program = waiting.pop()
            if program not in self._started:
                self._started.add(program)
                waiting.extend(_interpreters(program))

    def inside(self, paths: Iterable[str]) -> set[str]:
        """Return every name under the stage that decides where the paths lead."""
        walked = (name for path in {*paths, *self._started} for name in self._walk(path))
        return {found for name in walked if (found := self._under(name)) is not None}

    def ends(self, paths: Iterable[str]) -> set[str]:
        """Return where the paths lead, of those that lead under the stage."""
        ends = (self._under(self._walk(path)[-1]) for path in paths)
        return {end for end in ends if end is not None}

    def outside(self, touched: Touched) -> set[str]:
        """Return all names that lie neither in the stage nor beside it, where countci's own are.

        Those of links and those that were not there are among them: a program that is another
        one tomorrow, or a module that is installed by then, is found by them. Folders that
        were listed end with `/`.
        """
        walked = {
            name for path in {*touched.looked_up, *self._started} for name in self._walk(path)
        }
        listed = {f"{self._walk(path)[-1]}/" for path in touched.listed}
        home = os.path.dirname(self._stage)  # noqa: PTH120 - text, as all paths here
        beside = (f"{home}/", *_NO_FILES)
        return {name for name in walked | listed if name != home and not name.startswith(beside)}

    def read_as_data(self, touched: Touched) -> str:
        """Return why a program or library was more than run: then its debug sections count.

        The digest of one leaves out what never executes, which something that opens it
        without loading it may read all the same.
        """
        loaded = {self._walk(path)[-1] for path in touched.loaded}
        for path in touched.opened:
            end = self._walk(path)[-1]
            name = self._under(end)
            if name is not None and end not in loaded and elf.is_normalised(elf.start(end)):
                return f"it reads {name} as data"
        return ""

    def _walk(self, path: str) -> list[str]:
        # A link in /proc means something else to each process that reads it.
        return [path] if path.startswith(_NO_FILES) else self._walker.walk(path)

    def _under(self, path: str) -> str | None:
        if path == self._stage:
            return "."
        return path.removeprefix(self._stage + "/") if path.startswith(self._stage + "/") else None


def _interpreters(program: str) -> list[str]:
    """Return what the kernel starts to run `program`: of a `#!` line, of an ELF header."""
    start = elf.start(program)
    if start.startswith(b"#!"):
        words = start[2:_SHEBANG_SIZE].partition(b"\n")[0].split()
        return [os.fsdecode(word) for word in words[:1]]
    interpreter = elf.interpreter(start)
    return [] if interpreter is None else [interpreter]
