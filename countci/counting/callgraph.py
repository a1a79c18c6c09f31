"""One output file of callgrind, read with its lines and its calls."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from countci.counting import callgrind
from countci.counting.costgraph import Calls, CostGraph, Edge, Row
from countci.counting.symbols import cleaned
from countci.errors import MeasureError

UNKNOWN = "???"
_FILES = ("fl", "fi", "fe")
_IGNORED = ("cfi", "cfl", "jump", "jcnd")


@dataclass(slots=True)
class Tally:
    """What the processes of one run cost. Filled by `add`, then left alone."""

    stage: Path
    own: Counter[Row] = field(default_factory=Counter)
    """Instructions by line."""
    numbers: Counter[Edge] = field(default_factory=Counter)
    """How often was called."""
    inclusive: Counter[Edge] = field(default_factory=Counter)
    """Instructions in what was called."""
    objects: dict[str, str] = field(default_factory=dict)
    """Path of the file that a function's code is in, by function."""

    def add(self, data: bytes, *, name: str) -> None:
        """Add one process.

        Args:
            data: the whole file, with neither strings nor positions compressed.
            name: the file's name, for messages only.

        Raises:
            MeasureError: a line is malformed, or the lines don't add up to the total.

        Source:
            Valgrind manual, "Callgrind Format Specification". A line of cost that follows
            `calls=` is the cost of the callee, and not of the line.
        """
        total = callgrind.parse(data, name=name).total
        before = self.own.total()
        lines = data.decode(errors="backslashreplace").split("\n")
        start = lines.index("events: Ir") + 1
        _Reader(self, name).take(lines, start)
        read = self.own.total() - before
        if read != total:
            problem = f"the total says {total:,}, the lines add up to {read:,}"
            raise MeasureError(problem, where=name)


def difference(first: Tally | None, last: Tally, *, asks: int) -> CostGraph:
    """Return what `asks` asks cost: the run `last` less the run `first`, if there is one."""
    less = first or Tally(last.stage)
    own = {row: last.own[row] - less.own[row] for row in {**last.own, **less.own}}
    calls = {
        edge: Calls(
            number=last.numbers[edge] - less.numbers[edge],
            inclusive=last.inclusive[edge] - less.inclusive[edge],
        )
        for edge in {**last.numbers, **less.numbers}
    }
    return CostGraph(
        asks=asks,
        own={row: cost for row, cost in own.items() if cost},
        calls={edge: each for edge, each in calls.items() if any(each)},
        start_up=frozenset(row for row in less.own if not own[row]),
        objects=last.objects,
    )


class _Reader:
    """Where in a file the reading is."""

    def __init__(self, tally: Tally, name: str) -> None:
        self._tally = tally
        self._name = name
        self._object = self._file = self._function = UNKNOWN
        self._callee = self._called = ""
        """The callee of the next call, and the file that its code is in."""
        self._files: dict[tuple[str, str], str] = {}
        self._functions: dict[tuple[str, str], str] = {}
        self._shown = UNKNOWN
        """The file of the current lines, as a row has it."""

    def take(self, lines: list[str], start: int) -> None:
        """Read all lines from `start` on."""
        numbered = enumerate(lines[start:], start=start + 1)
        for number, line in numbered:
            try:
                if line[:1].isdigit():
                    self._cost(line)
                elif line.startswith("calls="):
                    self._call(line, next(numbered)[1])
                elif line and ":" not in line.partition("=")[0]:
                    kind, _, name = line.partition("=")
                    self._name_of(kind, name)
            except (ValueError, StopIteration) as error:
                problem = f"malformed line {line[:60]!r}"
                raise MeasureError(problem, where=f"{self._name}:{number}") from error

    def _cost(self, line: str) -> None:
        number, cost = map(int, line.split())
        self._tally.own[Row(self._shown, self._function, number)] += cost

    def _call(self, call: str, cost: str) -> None:
        times = int(call.removeprefix("calls=").split()[0])
        number, inclusive = map(int, cost.split())
        edge = Edge(Row(self._shown, self._function, number), self._callee)
        self._tally.numbers[edge] += times
        self._tally.inclusive[edge] += inclusive
        self._called = ""

    def _name_of(self, kind: str, name: str) -> None:
        if kind in _FILES:
            self._file = name
            self._shown = self._known_file()
        elif kind == "fn":
            self._function = self._known_function(self._object, name)
        elif kind == "ob":
            self._object = name
        elif kind == "cob":
            self._called = name
        elif kind == "cfn":
            self._callee = self._known_function(self._called or self._object, name)
        elif kind not in _IGNORED:
            raise ValueError(kind)

    def _known_file(self) -> str:
        key = self._object, self._file
        if key not in self._files:
            self._files[key] = shown_file(self._file, within=self._object, stage=self._tally.stage)
        return self._files[key]

    def _known_function(self, within: str, name: str) -> str:
        key = within, name
        if key not in self._functions:
            shown = shown_function(name, within=within, stage=self._tally.stage)
            self._functions[key] = shown
            self._tally.objects.setdefault(shown, within)
        return self._functions[key]


def shown_file(name: str, *, within: str, stage: Path) -> str:
    """Return the path of a source file as rows have it: below the stage, or absolute.

    Args:
        name: as the debug information has it.
        within: path of the file that the code is in. The C library's own sources are named
            relative to a folder that isn't here: they must not look like the project's.
        stage: the tree.
    """
    if name == UNKNOWN:
        return name
    path = posixpath.normpath(name)
    if path.startswith("/"):
        return path.removeprefix(f"{stage}/")
    return path if below(within, stage) else f"{within}:{path}"


def shown_function(name: str, *, within: str, stage: Path) -> str:
    """Return the name of a function as rows have it; `???` for code of the stage without names.

    Args:
        name: as callgrind writes it: an address where there is no symbol.
        within: path of the file that the code is in.
        stage: the tree.
    """
    if not name.startswith("0x"):
        return cleaned(name)
    # An address of a library is the same on both sides; one of the project's own code isn't.
    return UNKNOWN if below(within, stage) else f"{posixpath.basename(within)}:{name}"


def below(path: str, stage: Path) -> bool:
    """Whether `path` is below the stage."""
    return path.startswith(f"{stage}/")


def united(files: Iterable[Path], stage: Path) -> Tally:
    """Return what the processes of one run cost together, from the output file of each.

    Raises:
        MeasureError: as `Tally.add` raises it.
    """
    tally = Tally(stage)
    for path in files:
        tally.add(path.read_bytes(), name=path.name)
    return tally
