"""What is told of a function that ran: where it is, what its byte code says, what it did.

One trace is `byte_codes` (they were counted), `functions`, and by places in that list `calls`
[[caller or null, callee, times], ...] and `foreign` [[caller, name of a C function, times], ...].
"""

from __future__ import annotations

import dis
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final

from .tracing import NOBODY, Events

# Which local has which number is nothing to a cost.
_LOCAL: Final = frozenset(dis.haslocal)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def told(events: Events, *, byte_codes: bool) -> dict[str, Any]:
    """Return all of it as JSON can hold it. Functions are in the order of file, line and name."""
    keys = sorted(events.codes, key=lambda key: _order(events.codes[key]))
    places = {key: place for place, key in enumerate(keys)}
    started: dict[int, int] = defaultdict(int)
    for (_, callee), times in events.calls.items():
        started[callee] += times
    lines: dict[int, dict[int, int]] = defaultdict(dict)
    for (key, line), times in events.lines.items():
        lines[key][line] = times
    functions = [
        _function(events.codes[key], started[key], lines[key], events.byte_codes[key])
        for key in keys
    ]
    calls = [
        [None if caller == NOBODY else places[caller], places[callee], times]
        for (caller, callee), times in events.calls.items()
    ]
    foreign = [[places[caller], name, times] for (caller, name), times in events.foreign.items()]
    return {
        "byte_codes": byte_codes,
        "functions": functions,
        "calls": sorted(calls, key=lambda call: (-1 if call[0] is None else call[0], call[1])),
        "foreign": sorted(foreign),
    }


def _order(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _function(
    code: CodeType, calls: int, lines: dict[int, int], byte_codes: dict[int, int]
) -> dict[str, Any]:
    by_line: dict[int, int] = defaultdict(int)
    number = {place: line for start, end, line in code.co_lines() for place in range(start, end)}
    for place, times in byte_codes.items():
        by_line[number.get(place) or 0] += times
    return {
        "file": code.co_filename,
        "name": code.co_qualname,
        "line": code.co_firstlineno,
        "last": max(_lines(code), default=code.co_firstlineno),
        "digest": digest(code),
        "cells": list(code.co_cellvars),
        "uses": sorted(set(code.co_names)),
        "calls": calls,
        # No event tells of what comes before it looks like a function: cells, for one.
        "byte_codes": sum(byte_codes.values()) + calls * _before(code),
        "lines": [
            [line, lines.get(line, 0), by_line.get(line, 0)] for line in sorted({*lines, *by_line})
        ],
    }


def digest(code: CodeType) -> str:
    """Return 16 hex digits of what a function executes.

    Neither line numbers, nor the text that documents it, nor names of local variables, nor
    functions made within it are in them: those are told by themselves when they run.
    """
    words = [f"{each.opname} {_operand(each)}" for each in dis.get_instructions(code)]
    return hashlib.sha256("\n".join(words).encode(errors="surrogatepass")).hexdigest()[:16]


def _operand(instruction: dis.Instruction) -> str:
    if instruction.opcode in _LOCAL:
        return str(instruction.arg)
    if isinstance(instruction.argval, CodeType):
        return instruction.argval.co_name
    if isinstance(instruction.argval, frozenset):  # in the order of addresses, for some contents
        return str(sorted(map(repr, instruction.argval)))
    return _ADDRESS.sub("", instruction.argrepr)


def _before(code: CodeType) -> int:
    """Return how many byte codes a call executes before the first that an event tells of."""
    names = [each.opname for each in dis.get_instructions(code)]
    return names.index("RESUME") if "RESUME" in names else 0


def _lines(code: CodeType) -> Iterator[int]:
    """Yield the lines of a function, and of those within it."""
    for _, _, line in code.co_lines():
        if line:
            yield line
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _lines(each)
