"""What one ask executes, by Python's own events: calls, lines, byte codes, calls of C functions."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable
from types import CodeType
from typing import Any, Final

HERE: Final = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - as in target.py
NOBODY: Final = 0
"""Stands for the caller of an ask: us."""


class Events:
    """Counts of one ask. Code objects stand by their `id`: to hash one takes too long."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.codes: dict[int, CodeType] = {}
        self.calls: dict[tuple[int, int], int] = defaultdict(int)
        """By caller and callee. A generator that goes on isn't called again."""
        self.lines: dict[tuple[int, int], int] = defaultdict(int)
        """By code and line."""
        self.byte_codes: dict[int, dict[int, int]] = {}
        """By code, then by place in it."""
        self.foreign: dict[tuple[int, str], int] = defaultdict(int)
        """Calls of C functions, by caller and name."""

    def enter(self, code: CodeType) -> int:
        """Return what stands for a code object."""
        key = id(code)
        if key not in self.codes:
            self.codes[key] = code  # kept: while it lives nothing else has its id
            self.byte_codes[key] = defaultdict(int)
        return key


def is_ours(code: CodeType) -> bool:
    """Return whether code belongs to this package."""
    return code.co_filename.startswith(HERE)


def name_of(function: object) -> str:
    """Return the name of a C function: `list.append`, `math.sqrt`."""
    module = getattr(function, "__module__", None)
    name = str(getattr(function, "__qualname__", type(function).__qualname__))
    return name if module in (None, "builtins") else f"{module}.{name}"


def record(ask: Callable[[], Any], *, byte_codes: bool) -> Events:
    """Return what one ask executes, in all threads that this Python can look into.

    Args:
        ask: is called once.
        byte_codes: count them too, which takes most of the time.
    """
    events = Events()
    # The newer way is several times as fast, and sees threads that run already.
    if sys.version_info >= (3, 12):
        from .tracing_monitoring import start
    else:
        from .tracing_settrace import start
    stop = start(events, byte_codes=byte_codes)
    try:
        ask()
    finally:
        stop()
    return events
