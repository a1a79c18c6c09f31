"""The plans of many tests, as an earlier run chose them, in a file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final

from .plan import Plan

# An allocator maps what is so large by itself, and gives it back whole.
_LEAST: Final = 1 << 20
_NONE: Final = Plan(0, (0, 0, 0))


def content_of(plans: Mapping[str, tuple[int, Sequence[int]]]) -> bytes:
    """Return the content of a file that holds plans, by test: warm-up and points."""
    records = (
        f"{test}\0{' '.join(f'{n:9}' for n in (warm, *points))}\0"
        for test, (warm, points) in sorted(plans.items())
    )
    none = f"\0{' '.join(f'{0:9}' for _ in range(4))}\0"
    return f"\0{none}{''.join(records)}".encode().ljust(_LEAST)


class Plans:
    """Plans in a file, which is read only by the child that counts a test.

    What lies in memory while a suite is collected decides where the names in it lie; by these
    CPython finds methods in its cache, and a test whose methods get into each other's way there
    costs up to 0.6 % more. So a run with plans collects as one without does.
    """

    def __init__(self, path: str) -> None:
        """Keep where they are; empty: nowhere."""
        self._path = path

    def get(self, test: str) -> Plan:
        """Return the plan of a test; without any warm-up when there is none."""
        if not self._path:
            return _NONE
        # As few objects as can be, and as many with a plan as without: see above.
        file = os.open(self._path, os.O_RDONLY)
        content = os.pread(file, os.lseek(file, 0, os.SEEK_END), 0)
        os.close(file)
        name = b"\0%b\0" % test.encode()
        if name not in content:
            name = b"\0\0"
        start = content.index(name) + len(name)
        warm, *points = map(int, content[start : content.index(b"\0", start)].split())
        return Plan(warm, (points[0], points[1], points[2]))
