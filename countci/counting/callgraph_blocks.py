"""The output files of callgrind, cut into one block of text a function.

Most of what runs is start-up: such blocks are equal in two runs, and are never read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
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
    found = _in_order(ones, others) or _by_place(ones, others)
    return Blocks(
        names=(ones[-1].name if ones else "", others[-1].name if others else ""),
        total=Instructions(sum(each.total for each in others) - sum(each.total for each in ones)),
        equal=found.equal,
        first=found.first,
        last=found.last,
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


@dataclass(slots=True)
class _Found:
    equal: list[Block] = field(default_factory=list)
    first: list[Block] = field(default_factory=list)
    last: list[Block] = field(default_factory=list)


def _in_order(ones: Sequence[_File], others: Sequence[_File]) -> _Found | None:
    """Return the blocks of two runs that have the same functions in the same order, as most do.

    None where they don't. Blocks are held against each other as they stand, without a look
    into them: this is what makes large files fast.
    """
    if len(ones) != 1 or len(others) != 1 or len(ones[0].pieces) != len(others[0].pieces):
        return None
    found = _Found()
    place = _Place()
    for mine, theirs in zip(ones[0].pieces, others[0].pieces, strict=True):
        text, other = mine, theirs
        if not mine.startswith(_TITLE):
            text = place.enter(mine)
            if not text and _TITLE not in theirs:
                continue
            head = len(mine) - len(text)
            if mine[:head] != theirs[:head]:
                return None
            other = theirs[head:]
        one = Block(place.object, place.file, text)
        if text == other:
            found.equal.append(one)
            continue
        last = one._replace(text=other)
        if not other.startswith(_TITLE) or one.function != last.function:
            return None
        found.first.append(one)
        found.last.append(last)
    return found


def _by_place(ones: Sequence[_File], others: Sequence[_File]) -> _Found:
    """Return the blocks of any two runs; a function of several processes is several blocks."""
    only: dict[tuple[bytes, bytes, bytes], list[Block]] = defaultdict(list)
    for block in _blocks(ones):
        only[block.object, block.file, block.function].append(block)
    found = _Found()
    for block in _blocks(others):
        same = only.get((block.object, block.file, block.function))
        if same and block in same:
            same.remove(block)
            found.equal.append(block)
        else:
            found.last.append(block)
    found.first += [block for blocks in only.values() for block in blocks]
    return found


def _blocks(files: Iterable[_File]) -> Iterator[Block]:
    for each in files:
        place = _Place()
        for piece in each.pieces:
            if text := place.enter(piece):
                yield Block(place.object, place.file, text)


class _Place:
    """Where the next function is: written above `fn=` where it changes.

    Source:
        Valgrind manual, "Callgrind Format Specification"; valgrind, callgrind/dump.c: a
        function begins in its own file, whatever was inlined at the end of the one before,
        and ends with a blank line.
    """

    def __init__(self) -> None:
        self.object = self.file = _NO_NAME

    def enter(self, piece: bytes) -> bytes:
        """Return the piece from `fn=` on; empty when it has no function."""
        text = piece
        while text and not text.startswith(_TITLE):
            line, _, text = text.partition(b"\n")
            if line.startswith(b"ob="):
                self.object = line[3:]
            elif line.startswith(b"fl="):
                self.file = line[3:]
        return text
