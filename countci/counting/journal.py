"""What `inside/suite.py` wrote, read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from countci.counting.segments import Pair, points
from countci.errors import MeasureError
from countci.model import Point


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one test. `inside/journal.py` says what each field is."""

    id: str
    outcome: Literal["passed", "failed", "skipped", "unused"]
    why: str = ""
    notes: tuple[str, ...] = ()
    answer: str = ""
    segments: tuple[tuple[int, tuple[Pair, ...]], ...] = ()
    empty: Pair | None = None

    def points(self, total_of: Callable[[int], int]) -> tuple[Point, ...]:
        """Return one point for each of its segments."""
        return points(self.segments, self.empty, total_of)


class _End(msgspec.Struct, frozen=True, kw_only=True):
    end: int | None = None
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Journal:
    """A whole journal."""

    tests: dict[str, Line]
    """The last line of each, by id. A file that can't be collected is among them."""
    flat: bool
    """The flat allocator was taken up."""


@dataclass(slots=True)
class _Reading:
    tests: dict[str, Line] = field(default_factory=dict)
    end: _End = field(default_factory=_End)

    def take(self, line: bytes) -> None:
        end = msgspec.json.decode(line, type=_End)
        if end.end is not None:
            self.end = end
            return
        found = msgspec.json.decode(line, type=Line)
        self.tests[found.id] = found


def read(data: bytes, *, where: str) -> Journal | None:
    """Return what the journal says; None when the suite was stopped half way.

    Args:
        data: the file's content.
        where: the command, for messages.

    Raises:
        MeasureError: there is no session of pytest's that could have counted; with its words.
    """
    reading = _Reading()
    try:
        for line in data.splitlines():
            reading.take(line)
    except msgspec.MsgspecError:
        return None  # killed within a line
    if whole := reading.tests.get(""):
        raise MeasureError("the suite can't be run", where=where, detail=whole.why)
    if reading.end.end is None:
        return None
    return Journal(reading.tests, reading.end.flat)
