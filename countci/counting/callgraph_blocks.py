"""The output files of callgrind, cut into one block of text a function.

Most of what runs is start-up: such blocks are equal in two runs, and are never read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import countci.counting.callgrind as callgrind
from countci.counting.callgraph_names import UNKNOWN
from countci.errors import MeasureError
from countci.units import Instructions

_TOTALS = b"totals:"
_NO_NAME = UNKNOWN.encode()
_TITLE = b"fn="


class Block(NamedTuple):
    """One function, as callgrind writes it."""

    object: bytes
    """The executable or library that its code is in."""
    file: bytes
    """Source file of its first lines."""
    text: bytes
    """`fn=NAME`, then its lines of cost and calls."""

    @property
    def function(self) -> bytes:
        """Its name."""
        return self.text[len(_TITLE) :].partition(b"\n")[0]

    @property
    def lines(self) -> tuple[bytes, ...]:
        """Lines of cost and calls."""
        return tuple(self.text.split(b"\n")[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """The functions of two runs. Made by `cut`."""

    names: tuple[str, str]
    """The name of a file of each run, for messages only."""
    total: Instructions
    """Of the last run, less that of the first."""
    equal: Sequence[Block]
    """Of both runs."""
    first: Sequence[Block]
    last: Sequence[Block]
    """Of one run only, or with other costs than in the other one."""


def cut(first: Iterable[Path], last: Iterable[Path]) -> Blocks:
    """Return the blocks of two runs.

    Args:
        first: what each process of the run left, with neither strings nor positions
            compressed; nothing where one run is told whole.
        last: as much of the other run.

    Raises:
        MeasureError: a file is truncated, or not callgrind's.
    """
    ones, others = ([_File.of(path) for path in run] for run in (first, last))
    only = Counter(_blocks(ones))
    equal, different = [], []
    for block in _blocks(others):
        if only[block]:
            only[block] -= 1
            equal.append(block)
        else:
            different.append(block)
    return Blocks(
        names=(ones[-1].name if ones else "", others[-1].name if others else ""),
        total=Instructions(sum(each.total for each in others) - sum(each.total for each in ones)),
        equal=equal,
        first=list(only.elements()),
        last=different,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """What one process left."""

    name: str
    total: int
    pieces: Sequence[bytes]
    """What lies between blank lines."""

    @staticmethod
    def of(path: Path) -> _File:
        data = path.read_bytes()
        total = callgrind.parse(data, name=path.name).total
        if b"\nfn=\n" in data:
            raise MeasureError("a function without a name", where=path.name)
        pieces = data.split(b"\n\n")
        while _TOTALS not in pieces[-1]:
            pieces.pop()
        pieces[-1] = pieces[-1].rpartition(_TOTALS)[0].rstrip(b"\n")
        return _File(name=path.name, total=total, pieces=pieces)


def _blocks(files: Iterable[_File]) -> Iterator[Block]:
    """Yield each function; one of several processes is several blocks.

    Object and file are written above `fn=` where they change.

    Source:
        Valgrind manual, "Callgrind Format Specification"; valgrind, callgrind/dump.c: a
        function begins in its own file, whatever was inlined at the end of the one before,
        and ends with a blank line.
    """
    for each in files:
        within = file = _NO_NAME
        for piece in each.pieces:
            text = piece
            while text and not text.startswith(_TITLE):
                line, _, text = text.partition(b"\n")
                if line.startswith(b"ob="):
                    within = line[3:]
                elif line.startswith(b"fl="):
                    file = line[3:]
            if text:
                yield Block(within, file, text)
