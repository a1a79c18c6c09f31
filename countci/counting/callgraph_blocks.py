"""The output files of callgrind, cut into one block of text a function.

Most of what runs is start-up: such blocks are equal in two runs, and are never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import countci.counting.callgrind as callgrind
from countci.counting.callgraph_names import UNKNOWN
from countci.errors import MeasureError
from countci.units import Instructions

_EVENTS = b"\nevents: Ir\n"
_NO_NAME = UNKNOWN.encode()


Place: TypeAlias = tuple[bytes, bytes, bytes]
"""Where a block's code is, as callgrind writes it: the executable or library, the source file of
its first lines, the function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """The functions of two runs: lines of cost and calls. Made by `cut`."""

    names: tuple[str, str]
    """The name of a file of each run, for messages only."""
    total: Instructions
    """Of the last run, less that of the first."""
    equal: Mapping[Place, bytes]
    different: Mapping[Place, tuple[bytes, bytes]]
    """Of the first run and of the last; empty where it did not run."""


def cut(first: Iterable[Path], last: Iterable[Path]) -> Blocks:
    """Return the blocks of two runs.

    Args:
        first: what each process of the run left, with neither strings nor positions
            compressed; nothing where one run is told whole.
        last: as much of the other run.

    Raises:
        MeasureError: a file is truncated, or not callgrind's.
    """
    one, other = _Run(first), _Run(last)
    only: dict[Place, bytes] = {}
    for place, body in one.blocks():
        only[place] = only[place] + b"\n" + body if place in only else body
    equal: dict[Place, bytes] = {}
    different: dict[Place, tuple[bytes, bytes]] = {}
    for place, body in other.blocks():
        if place in equal:  # a second process of the tree runs it too
            different[place] = equal[place], equal.pop(place) + b"\n" + body
        elif place in different:
            before, after = different[place]
            different[place] = before, after + b"\n" + body
        elif (before := only.pop(place, b"")) == body:
            equal[place] = before
        else:
            different[place] = before, body
    different.update((place, (body, b"")) for place, body in only.items())
    return Blocks(
        names=(one.name, other.name),
        total=Instructions(other.total - one.total),
        equal=equal,
        different=different,
    )


class _Run:
    """What the processes of one run left."""

    def __init__(self, files: Iterable[Path]) -> None:
        """Read nothing yet."""
        self._files = files
        self.name, self.total = "", 0

    def blocks(self) -> Iterator[tuple[Place, bytes]]:
        """Yield each function of each process; name and total are complete once it has ended."""
        for path in self._files:
            data, self.name = path.read_bytes(), path.name
            self.total += callgrind.parse(data, name=self.name).total
            yield from _blocks(data, self.name)


def _blocks(data: bytes, name: str) -> Iterator[tuple[Place, bytes]]:
    """Yield each function's lines.

    Object and file of functions are written where they change, above `fn=`; a blank line ends
    a function.

    Source:
        Valgrind manual, "Callgrind Format Specification"; valgrind, callgrind/dump.c: a
        function begins in its own file, whatever was inlined at the end of the one before.
    """
    start, end = data.index(_EVENTS) + len(_EVENTS), data.rindex(b"\ntotals:")
    within = file = _NO_NAME
    for block in data[start:end].split(b"\n\n"):
        lines = block
        while lines and not lines.startswith(b"fn="):
            line, _, lines = lines.partition(b"\n")
            if line.startswith(b"ob="):
                within = line[3:]
            elif line.startswith(b"fl="):
                file = line[3:]
        if not lines:
            continue
        function, _, body = lines[3:].partition(b"\n")
        if not function:
            raise MeasureError("a function without a name", where=name)
        yield (within, file, function), body.rstrip(b"\n")
