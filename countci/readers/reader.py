"""What a reader is, and what it finds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from countci.errors import MeasureError
from countci.model import Metric

_BLANK = "\N{NO-BREAK SPACE}"  # a unit of several words is one cell of a table
MILLISECONDS = "ms"
CLOSED_LOOP = f"ms{_BLANK}(closed{_BLANK}loop)"
"""The client waited for each answer before it asked again: what it did not send while the
server stood still is in no percentile."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, and the line that it stands in."""

    value: float
    line: str
    trouble: str = ""
    """What the program said that makes the number worth nothing; a line of its output."""


Found: TypeAlias = Mapping[str, Number]
"""By metric; where the output has several parts, by `PART.METRIC`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How one program's output is read."""

    metrics: Mapping[str, Metric]
    """What it may tell, by name."""
    usual: tuple[str, ...]
    """What is judged where a query names nothing."""
    read: Callable[[str], Found]
    parts: bool = False
    """Whether the output may hold several of each: `GET.rate`, `SET.rate`."""

    def metric(self, name: str) -> Metric | None:
        """Return the metric of that name; None when there is no such thing."""
        kind = self.metrics.get(name.rpartition(".")[2] if self.parts else name)
        if kind is None:
            return None
        return Metric(name=name, unit=kind.unit, exact=False, better=kind.better)


def metrics(**kinds: tuple[str, str]) -> dict[str, Metric]:
    """Return sampled metrics by name, each told by its unit and which way is better."""
    return {
        name: Metric(name=name, unit=unit, exact=False, better=better)
        for name, (unit, better) in kinds.items()
    }


def united(parts: Mapping[str, Found]) -> dict[str, Number]:
    """Return each number as `PART.METRIC`, and by its own name too where there is one part."""
    found = {
        f"{part}.{name}": number
        for part, numbers in parts.items()
        for name, number in numbers.items()
    }
    if len(parts) == 1:
        (only,) = parts.values()
        found |= only
    return found


def middle(values: Sequence[float], line: str) -> Number:
    """Return the median of what was measured several times; no number if one of them is none."""
    finite = all(math.isfinite(value) for value in values)
    return Number(statistics.median(values) if finite else math.nan, line)


def usable(number: Number, name: str) -> float:
    """Return the value of a number that can be judged.

    Raises:
        MeasureError: it is not finite, not above zero, or beside an error; quotes the line.
    """
    if number.trouble:
        problem = f"{name} stands beside an error"
        detail = f"it says: {number.trouble}\n{number.line}"
        raise MeasureError(problem, detail=detail)
    if not math.isfinite(number.value):
        raise MeasureError(f"{name} is no number", detail=f"it says: {number.line}")
    if number.value <= 0:
        raise MeasureError(
            f"{name} is {number.value:g}, where only more than 0 can be compared",
            detail=f"it says: {number.line}",
        )
    return number.value
