"""Small programs, written down by what a call of each function costs; and diffs of their files."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from countci.counting import Calls, CostGraph, Edge, Row
from countci.explaining import Code, Question, Side, explain
from countci.model import Explanation

Files: TypeAlias = Mapping[str, str]
GCC = "GNU C17 12.2.0 -mtune=generic -O2 -g"


@dataclass(frozen=True, kw_only=True)
class Body:
    """What one call of a function costs; lines are told by a piece of their text, or a number."""

    file: str = "???"
    own: Mapping[str | int, int] = field(default_factory=lambda: {0: 100})
    calls: Mapping[str | int, Sequence[tuple[str, int]]] = field(default_factory=dict)


Program: TypeAlias = Mapping[str, Body]


def graph(
    program: Program, files: Files, *, asks: int = 2, start_up: Iterable[Row] = ()
) -> CostGraph:
    """Return the costs of asks that call `main` once each."""
    numbers: dict[str, int] = defaultdict(int)
    _count(program, "main", asks, numbers)
    own: dict[Row, int] = {}
    calls: dict[Edge, Calls] = {}
    for name, number in numbers.items():
        body = program[name]
        for where, cost in body.own.items():
            own[Row(body.file, name, line(files, body.file, where))] = cost * number
        for where, every in body.calls.items():
            row = Row(body.file, name, line(files, body.file, where))
            for callee, times in every:
                whole = number * times * price(program, callee)
                calls[Edge(row, callee)] = Calls(number * times, whole)
    return CostGraph(asks=asks, own=own, calls=calls, start_up=frozenset(start_up))


def _count(program: Program, name: str, times: int, numbers: dict[str, int]) -> None:
    numbers[name] += times
    for every in program[name].calls.values():
        for callee, each in every:
            _count(program, callee, times * each, numbers)


def line(files: Files, file: str, where: str | int) -> int:
    """Return the number of the one line with a piece of text."""
    if isinstance(where, int):
        return where
    found = [n for n, text in enumerate(files[file].split("\n"), 1) if where in text]
    assert len(found) == 1, f"{where!r} is on lines {found} of {file}"
    return found[0]


def price(program: Program, name: str) -> int:
    """Return what a call costs, with what it calls."""
    body = program[name]
    called = (pair for every in body.calls.values() for pair in every)
    return sum(body.own.values()) + sum(times * price(program, c) for c, times in called)


def diff(base: Files, head: Files, renames: Mapping[str, str] | None = None) -> str:
    """Return what git would print with -U0 -M."""
    renames = renames or {}
    back = {new: old for old, new in renames.items()}
    texts = []
    for path in sorted({*(renames.get(old, old) for old in base), *head}):
        old = back.get(path, path)
        before, after = base.get(old), head.get(path)
        if before == after and old == path:
            continue
        texts.append(f"diff --git a/{old} b/{path}")
        if old != path:
            texts += [f"rename from {old}", f"rename to {path}"]
        texts += list(
            difflib.unified_diff(
                before.split("\n") if before is not None else [],
                after.split("\n") if after is not None else [],
                f"a/{old}" if before is not None else "/dev/null",
                f"b/{path}" if after is not None else "/dev/null",
                n=0,
                lineterm="",
            )
        )
    return "\n".join(texts) + "\n"


@dataclass(frozen=True, kw_only=True)
class Version:
    """One side: its files, what runs, and what the machine code says."""

    files: Files
    program: Program
    changed: frozenset[str] = frozenset()
    """Functions with other machine code than on the other side."""
    objects: Mapping[str, str] = field(default_factory=dict)
    producer: str = GCC
    start_up: tuple[Row, ...] = ()
    readable: bool = True
    unlined: frozenset[str] = frozenset()
    """Functions of the tree of which only the name is known."""

    @property
    def side(self) -> Side:
        """What `explain` is asked with."""
        functions = {
            name: f"{name}, changed" if name in self.changed else name
            for name, body in self.program.items()
            if name in self.unlined or not body.file.startswith(("/", "?"))
        }
        code = Code(
            functions=functions,
            objects=self.objects,
            producers=dict.fromkeys(self.files, self.producer),
            names="lines",
        )
        return Side(
            graph=graph(self.program, self.files, start_up=self.start_up),
            code=code if self.readable else None,
            source=self.files.get,
        )


def explained(
    base: Version, head: Version, renames: Mapping[str, str] | None = None
) -> Explanation:
    """Return the explanation of two versions."""
    return explain(
        Question(
            query="suite/query",
            base=base.side,
            head=head.side,
            diff=diff(base.files, head.files, renames),
        )
    )
