"""What an ask costs by line and call, from two runs. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from countci.counting.callgraph_blocks import Blocks, Place
from countci.counting.callgraph_names import is_of_tree, shown_file, shown_function
from countci.counting.costgraph import Calls, CostGraph, Edge, Row
from countci.errors import MeasureError
from countci.units import Instructions

_NOTHING = Blocks(name="", total=Instructions(0), bodies={})
_LINE = re.compile(rb"^calls=.*\n.*|^f[ie]=(.*)|^([0-9]+) ", re.MULTILINE)


def difference(first: Blocks | None, last: Blocks, *, asks: int, stage: Path) -> CostGraph:
    """Return what `asks` asks cost: the run `last` less the run `first`, if there is one.

    Raises:
        MeasureError: a line is malformed, or the lines don't add up to the totals.
    """
    less = first or _NOTHING
    names = _Names(stage)
    runs = _Tally(names, less.name), _Tally(names, last.name)
    equal: set[Row] = set()
    for place in {**last.bodies, **less.bodies}:
        one, other = less.bodies.get(place), last.bodies.get(place)
        if one is not None and one == other:
            equal.update(_lines(place, one, names))
            continue
        for run, body in zip(runs, (one, other), strict=True):
            if body:
                run.add(place, body)
    graph = _graph(*runs, equal, asks)
    if graph.total != last.total - less.total:
        total = last.total - less.total
        problem = f"the totals say {total:,}, the lines add up to {graph.total:,}"
        raise MeasureError(problem, where=last.name)
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


@dataclass(slots=True)
class _Tally:
    """The blocks of one run that were read. Filled by `add`, then left alone."""

    names: _Names
    name: str
    own: Counter[Row] = field(default_factory=Counter)
    numbers: Counter[Edge] = field(default_factory=Counter)
    inclusive: Counter[Edge] = field(default_factory=Counter)

    def add(self, place: Place, body: bytes) -> None:
        """Add one function.

        Source:
            Valgrind manual, "Callgrind Format Specification". A line of cost that follows
            `calls=` is the cost of the callee, and not of the line.
        """
        lines = iter(body.split(b"\n"))
        function = self.names.function(place.function, place.object)
        file = self.names.file(place.file, place.object)
        callee, called = "", place.object
        for line in lines:
            kind, _, rest = line.partition(b"=")
            try:
                if not rest:
                    number, cost = line.split(b" ")
                    self.own[Row(file, function, int(number))] += int(cost)
                elif kind == b"calls":
                    times, (number, cost) = rest.split(b" ")[0], next(lines).split(b" ")
                    edge = Edge(Row(file, function, int(number)), callee)
                    self.numbers[edge] += int(times)
                    self.inclusive[edge] += int(cost)
                    called = place.object
                elif kind in (b"fi", b"fe"):
                    file = self.names.file(rest, place.object)
                elif kind == b"cob":
                    called = rest
                elif kind == b"cfn":
                    callee = self.names.function(rest, called)
            except (ValueError, StopIteration) as error:
                problem = f"malformed line {_text(line[:60])!r} of {function}"
                raise MeasureError(problem, where=self.name) from error


def _lines(place: Place, body: bytes, names: _Names) -> Iterable[Row]:
    """Yield the rows of the tree's files in a block whose costs don't matter."""
    function = names.function(place.function, place.object)
    file = names.file(place.file, place.object)
    for found in _LINE.finditer(body):
        if found[1]:
            file = names.file(found[1], place.object)
        elif found[2] and is_of_tree(file):
            yield Row(file, function, int(found[2]))


def _graph(less: _Tally, last: _Tally, equal: set[Row], asks: int) -> CostGraph:
    own = {row: last.own[row] - less.own[row] for row in {**last.own, **less.own}}
    calls = {
        edge: Calls(
            number=last.numbers[edge] - less.numbers[edge],
            inclusive=last.inclusive[edge] - less.inclusive[edge],
        )
        for edge in {**last.numbers, **less.numbers}
    }
    start_up = equal.union(less.own)
    return CostGraph(
        asks=asks,
        own={row: cost for row, cost in own.items() if cost},
        calls={edge: each for edge, each in calls.items() if any(each)},
        start_up=frozenset(row for row in start_up if is_of_tree(row.file) and not own.get(row)),
        objects=last.names.objects,
    )


def _text(name: bytes) -> str:
    return name.decode(errors="backslashreplace")
