"""The output files of callgrind, cut into one block of text a function.

Most of what runs is start-up: such blocks are equal in two runs, and are never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import countci.counting.callgrind as callgrind
from countci.counting.callgraph_names import UNKNOWN
from countci.errors import MeasureError
from countci.units import Instructions

_EVENTS = b"\nevents: Ir\n"
_NO_NAME = UNKNOWN.encode()


class Place(NamedTuple):
    """Where a block's code is, as callgrind writes it."""

    object: bytes
    """The executable or library."""
    file: bytes
    """Source file of the first lines."""
    function: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """All processes of one run. Made by `cut`."""

    name: str
    """The name of a file, for messages only."""
    total: Instructions
    bodies: Mapping[Place, bytes]
    """Lines of cost and calls."""


def cut(files: Iterable[Path]) -> Blocks:
    """Return the blocks of one run.

    Args:
        files: what each process left, with neither strings nor positions compressed.

    Raises:
        MeasureError: a file is truncated, or not callgrind's.
    """
    bodies: dict[Place, bytes] = {}
    total, name = 0, ""
    for path in files:
        data, name = path.read_bytes(), path.name
        total += callgrind.parse(data, name=name).total
        for place, body in _blocks(data, name):
            bodies[place] = bodies[place] + b"\n" + body if place in bodies else body
    return Blocks(name=name, total=Instructions(total), bodies=bodies)


def _blocks(data: bytes, name: str) -> Iterable[tuple[Place, bytes]]:
    """Yield each function's lines.

    Object and file of functions are written where they change: above `fn=`, which is after
    the blank line that ends the function before.

    Source:
        Valgrind manual, "Callgrind Format Specification"; valgrind, callgrind/dump.c: a
        function begins in its own file, whatever was inlined at the end of the one before.
    """
    start, end = data.index(_EVENTS) + len(_EVENTS), data.rindex(b"\ntotals:")
    before, *pieces = data[start - 1 : end].split(b"\nfn=")
    within, file = _last(before, b"ob", _NO_NAME), _last(before, b"fl", _NO_NAME)
    for piece in pieces:
        body, _, after = piece.partition(b"\n\n")
        function, _, lines = body.partition(b"\n")
        if not function:
            raise MeasureError("a function without a name", where=name)
        yield Place(within, file, function), lines.rstrip(b"\n")
        within, file = _last(after, b"ob", within), _last(after, b"fl", file)


def _last(text: bytes, kind: bytes, before: bytes) -> bytes:
    """Return the last name of a kind among some lines, or the one that held before."""
    lines = [line for line in text.split(b"\n") if line.startswith(kind + b"=")]
    return lines[-1][len(kind) + 1 :] if lines else before
