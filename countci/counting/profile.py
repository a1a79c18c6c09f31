"""One output file of cachegrind, read and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from countci.counting.rows import Rows
from countci.errors import MeasureError
from countci.units import Instructions

_HEAD = re.compile(
    # The command ends where the events begin: its arguments may hold newlines.
    rb"(?:desc:[^\n]*\n)*cmd:(?P<command>.*?)\nevents:(?P<events>[^\n]*)\n(?=f[line]=|summary:)",
    re.DOTALL,
)
_END = re.compile(rb"summary:((?: [0-9]{1,20})+) ?\n?")
_NEW_FILE = (b"l=", b"i=", b"e=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Instructions of one process, by function. Made by `parse`."""

    command: str
    """The program and its arguments, joined by blanks, as cachegrind writes them."""
    total: Instructions
    functions: Mapping[tuple[str, str], Instructions]
    """By file and function."""
    rows: Rows
    """What is needed to read single lines later."""
    bodies: Mapping[tuple[str, str], bytes]
    """The text of each function's rows, not read any further."""

    def lines(self, file: str, function: str) -> dict[int, Instructions]:
        """Return the instructions of one function by line; line 0 is code of no line."""
        return self.rows.by_line(self.bodies[file, function])


def parse(data: bytes, *, name: str) -> Profile:
    """Return the instruction counts of one cachegrind output file.

    Args:
        data: the whole file.
        name: the file's name, for messages only.

    Returns:
        Counts of the event `Ir` (instructions executed), wherever it stands among the events.

    Raises:
        MeasureError: a line is malformed, `Ir` was not recorded, nothing was counted, the
            summary is missing or is not the sum of the parts. It says `name:line`.

    Source:
        Valgrind manual, "Cachegrind Output File Format". Its grammar asks for two events or
        more; with `--cache-sim=no` there is one.
    """
    head = _HEAD.match(data)
    if head is None:
        raise _headless(data, name)
    rows = _rows(head["events"], _where(data, head.start("events"), name))
    start = data.rfind(b"\nsummary:", head.end() - 1)
    if start < 0:
        raise MeasureError("no summary: the file is truncated", where=_where(data, len(data), name))
    bodies = _bodies(data, head.end() - 1, start, name)
    functions = _functions(bodies, rows, data, name)
    total = sum(functions.values())
    _check(data, start + 1, rows, total, name)
    return Profile(
        command=_text(head["command"].removeprefix(b" ")),
        total=Instructions(total),
        functions=functions,
        rows=rows,
        bodies=bodies,
    )


def _headless(data: bytes, name: str) -> MeasureError:
    if not data.strip():
        return MeasureError("the file is empty", where=f"{name}:1")
    if b"\nevents:" not in data:
        problem = "no events: the file is truncated, or not cachegrind's"
        return MeasureError(problem, where=_where(data, len(data), name))
    return MeasureError("not the head of a cachegrind file", where=f"{name}:1")


def _rows(events: bytes, where: str) -> Rows:
    names = events.split()
    if b"Ir" not in names:
        shown = ", ".join(map(_text, names)) or "none"
        raise MeasureError(f"instructions (Ir) were not counted, only: {shown}", where=where)
    return Rows(events=len(names), column=names.index(b"Ir"))


def _bodies(data: bytes, start: int, end: int, name: str) -> dict[tuple[str, str], bytes]:
    """Return the rows of each function as text.

    Rows begin with a digit, so a line that begins with `f` is a name: one split finds them all.
    """
    bodies: dict[tuple[str, str], bytes] = {}
    file = function = ""
    at = start
    for piece in data[start:end].split(b"\nf")[1:]:
        kind, (label, _, body) = piece[:2], piece[2:].partition(b"\n")
        if kind == b"n=":
            function = _text(label)
        elif kind in _NEW_FILE:
            file = _text(label)
        else:
            raise _malformed(data, at, name)
        if body:
            if not file or not function:
                raise _malformed(data, at, name)
            key = file, function
            bodies[key] = bodies[key] + b"\n" + body if key in bodies else body
        at += 2 + len(piece)
    return bodies


def _functions(
    bodies: Mapping[tuple[str, str], bytes], rows: Rows, data: bytes, name: str
) -> dict[tuple[str, str], Instructions]:
    counts = {}
    for key, body in bodies.items():
        count = rows.total(body)
        if count is None:
            raise _malformed(data, data.find(body) + rows.offset_of_wrong(body) - 1, name)
        counts[key] = count
    return counts


def _check(data: bytes, start: int, rows: Rows, total: int, name: str) -> None:
    where = _where(data, start, name)
    end = _END.fullmatch(data, start)
    numbers = end[1].split() if end else []
    if len(numbers) <= rows.column:
        raise MeasureError("the summary is malformed or not the last line", where=where)
    summary = int(numbers[rows.column])
    if summary != total:
        raise MeasureError(
            f"the summary says {summary:,}, the functions add up to {total:,}", where=where
        )
    if not total:
        raise MeasureError("nothing was counted", where=where)


def _malformed(data: bytes, at: int, name: str) -> MeasureError:
    line = data[at + 1 :].partition(b"\n")[0]
    return MeasureError(f"malformed line {_text(line[:60])!r}", where=_where(data, at + 1, name))


def _where(data: bytes, at: int, name: str) -> str:
    line = data.count(b"\n", 0, at) + 1
    return f"{name}:{line}"


def _text(name: bytes) -> str:
    return name.decode(errors="backslashreplace")
