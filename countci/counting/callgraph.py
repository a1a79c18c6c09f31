"""What an ask costs by line and call, from two runs. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from countci.counting.callgraph_blocks import Block, Blocks
from countci.counting.callgraph_names import shown_file, shown_function
from countci.counting.costgraph import Calls, CostGraph, Edge, Row
from countci.errors import MeasureError

_LINE = re.compile(rb"^calls=.*\n.*|^f[ie]=(.*)|^([0-9]+) ", re.MULTILINE)


def difference(
    blocks: Blocks, *, asks: int, stage: Path, touched: Collection[str] = ()
) -> CostGraph:
    """Return what `asks` asks cost: the last run less the first.

    Only functions whose costs differ are read, and of the others those of `touched`: nearly
    all of what runs is start-up, which two runs have alike.

    Args:
        blocks: of both runs.
        asks: how many more the last run has.
        stage: the tree.
        touched: files, as rows have them, whose start-up is told.

    Raises:
        MeasureError: a line is malformed, or the lines don't add up to the totals.
    """
    names = _Names(stage)
    runs = _Tally(names, blocks.names[0]), _Tally(names, blocks.names[1])
    start_up = _StartUp(names, frozenset(touched))
    for block in blocks.equal:
        start_up.add(block)
    for run, those in zip(runs, (blocks.first, blocks.last), strict=True):
        for block in those:
            run.add(block)
    graph = _graph(*runs, start_up, asks)
    if graph.total != blocks.total:
        problem = f"the totals say {blocks.total:,}, the lines add up to {graph.total:,}"
        raise MeasureError(problem, where=blocks.names[1])
    return graph


class _Names:
    """Files and functions as they are shown, each worked out once."""

    def __init__(self, stage: Path) -> None:
        self._stage = stage
        self._files: dict[tuple[bytes, bytes], str] = {}
        self._functions: dict[tuple[bytes, bytes], str] = {}
        self.objects: dict[str, str] = {}
        """Path of the file that a function's code is in, by function."""

    def file(self, name: bytes, within: bytes) -> str:
        key = name, within
        if key not in self._files:
            shown = shown_file(_text(name), within=_text(within), stage=self._stage)
            self._files[key] = shown
        return self._files[key]

    def function(self, name: bytes, within: bytes) -> str:
        key = name, within
        if key not in self._functions:
            shown = shown_function(_text(name), within=_text(within), stage=self._stage)
            self._functions[key] = shown
            self.objects.setdefault(shown, _text(within))
        return self._functions[key]


class _Code(NamedTuple):
    """Lines of one file in one function."""

    file: str
    function: str
    within: bytes
    """The file of the machine code: several have a function of one name, or of none."""


@dataclass(slots=True)
class _Tally:
    """The blocks of one run that were read. Filled by `add`, then left alone."""

    names: _Names
    name: str
    own: dict[_Code, dict[int, int]] = field(default_factory=dict)
    """By line."""
    numbers: Counter[Edge] = field(default_factory=Counter)
    inclusive: Counter[Edge] = field(default_factory=Counter)

    def add(self, block: Block) -> None:
        """Add one function.

        Source:
            Valgrind manual, "Callgrind Format Specification". A line of cost that follows
            `calls=` is the cost of the callee, and not of the line.
        """
        lines = iter(block.lines)
        within = block.object
        function = self.names.function(block.function, within)
        file = self.names.file(block.file, within)
        own = self._lines(_Code(file, function, within))
        callee, called = "", within
        for line in lines:
            try:
                if line[:1].isdigit():
                    number, cost = line.split(b" ")
                    own[int(number)] += int(cost)
                    continue
                kind, rest = line.split(b"=", 1)
                if kind == b"calls":
                    times, (number, cost) = rest.split(b" ")[0], next(lines).split(b" ")
                    edge = Edge(Row(file, function, int(number)), callee)
                    self.numbers[edge] += int(times)
                    self.inclusive[edge] += int(cost)
                    called = within
                elif kind in (b"fi", b"fe"):
                    file = self.names.file(rest, within)
                    own = self._lines(_Code(file, function, within))
                elif kind == b"cob":
                    called = rest
                elif kind == b"cfn":
                    callee = self.names.function(rest, called)
            except (ValueError, StopIteration) as error:
                problem = f"malformed line {_text(line[:60])!r} of {function}"
                raise MeasureError(problem, where=self.name) from error

    def _lines(self, code: _Code) -> dict[int, int]:
        return self.own.setdefault(code, defaultdict(int))


@dataclass(slots=True)
class _StartUp:
    """Lines of some files of the tree that ran, whatever they cost. Filled by `add`."""

    names: _Names
    files: frozenset[str]
    rows: set[Row] = field(default_factory=set)

    def add(self, block: Block) -> None:
        """Add one function, whose costs don't matter."""
        within = block.object
        file = self.names.file(block.file, within)
        if file not in self.files and b"\nfi=" not in block.text:
            return
        function = self.names.function(block.function, within)
        for found in _LINE.finditer(block.text):
            if found[1]:
                file = self.names.file(found[1], within)
            elif found[2] and file in self.files:
                self.rows.add(Row(file, function, int(found[2])))


def _graph(less: _Tally, last: _Tally, start_up: _StartUp, asks: int) -> CostGraph:
    own: Counter[Row] = Counter()
    costs: dict[str, Counter[bytes]] = defaultdict(Counter)
    for code in {**last.own, **less.own}:
        before, after = (run.own.get(code, {}) for run in (less, last))
        costs[code.function][code.within] += sum(after.values()) - sum(before.values())
        for line in {**after, **before}:
            row = Row(code.file, code.function, line)
            if cost := after.get(line, 0) - before.get(line, 0):
                own[row] += cost
            elif code.file in start_up.files:
                start_up.rows.add(row)
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
        start_up=frozenset(start_up.rows - own.keys()),
        objects=last.names.objects
        | {function: _text(max(each, key=each.__getitem__)) for function, each in costs.items()},
    )


def _text(name: bytes) -> str:
    return name.decode(errors="backslashreplace")
