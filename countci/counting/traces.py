"""What one ask of a Python query executed, as `inside/tracing_codes.py` wrote it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from countci.model import Frozen


class Function(Frozen, frozen=True, kw_only=True):
    """A function that ran, or one that called it."""

    file: str
    """Path: below the stage where it lies there, else absolute, or a name like `<string>`."""
    name: str
    """Qualified: `Token.match`, `parse.<locals>.<lambda>`."""
    line: int
    """The first, from 1."""
    last: int
    """The last, those of functions within it included."""
    digest: str
    """Of its byte code: equal ones execute the same."""
    cells: tuple[str, ...]
    """Variables that functions within it share: each call makes a cell of each."""
    uses: tuple[str, ...]
    """Names of globals and attributes in its byte code, sorted."""
    calls: int
    byte_codes: int
    """Executed, over all calls; 0 where they were not counted."""
    lines: tuple[tuple[int, int, int], ...]
    """Line, how often it ran, its byte codes."""


class Trace(Frozen, frozen=True, kw_only=True):
    """One ask. Made by `counting.traced`."""

    byte_codes: bool
    """They were counted: not where an ask takes half a second or more."""
    functions: tuple[Function, ...]
    """By file, line and name."""
    calls: tuple[tuple[int | None, int, int], ...]
    """Caller and callee as places in `functions`, and how often; None calls the ask itself."""
    foreign: tuple[tuple[int, str, int], ...]
    """The same of C functions, by name."""


def placed(trace: Trace, stage: Path) -> Trace:
    """Return the trace with paths below the stage as such."""
    top = f"{stage}/"
    functions = tuple(
        msgspec.structs.replace(each, file=each.file.removeprefix(top)) for each in trace.functions
    )
    return msgspec.structs.replace(trace, functions=functions)
