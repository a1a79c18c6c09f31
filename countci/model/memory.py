"""What a process holds after so many steps: memory and threads."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from countci.model.frozen import Frozen
from countci.model.metrics import Limit, Metric
from countci.model.servers import Ready
from countci.units import Seconds

HELD = ("private_dirty", "pss", "rss", "threads")
"""What is read of a process: bytes, and how many threads it has."""
_SLOPE = "_slope"


class MemoryWork(Frozen, frozen=True, kw_only=True, tag="memory"):
    """Start a process for each number of steps, touch it, and read what it holds."""

    start: str
    """A command; `{at}` is the number of steps, `{port}` a free port."""
    at: tuple[int, ...]
    """By rising number; two or more."""
    touch: tuple[str, ...] = ()
    """Commands that run one after the other once it is ready."""
    ready: Ready
    within: Seconds
    """How long it may take to be ready, and then to be quiet."""
    grace: Seconds
    """How long it may take to end after SIGTERM."""
    env: dict[str, str] = {}

    @property
    def repeats(self) -> bool:
        """It is run for its steps, and not for a number of asks."""
        return False

    @property
    def stdin(self) -> None:
        """It has nothing to read."""

    @property
    def fixed(self) -> tuple[Literal["clock", "random"], ...]:
        """Nothing."""
        return ()


def _metrics() -> dict[str, Metric]:
    names = [*HELD, *(f"{name}{_SLOPE}" for name in HELD if name != "threads")]
    return {
        name: Metric(name=name, unit="threads" if name == "threads" else "bytes", exact=False)
        for name in names
    }


MEMORY_METRICS = _metrics()
"""By name: what is held after the last step, and `..._slope`, how much a step adds to it."""
MEMORY_LIMITS = {
    name: Limit(share=0.05) if name == "private_dirty_slope" else Limit(form="none")
    for name in MEMORY_METRICS
}
"""What holds where a query doesn't say."""


def reading(held: str, at: int) -> str:
    """Return under which name a run keeps what it read after so many steps."""
    return f"{held} at {at}"


def held_of(metric: str) -> str:
    """Return which of `HELD` a metric is of."""
    return metric.removesuffix(_SLOPE)


def is_slope(metric: str) -> bool:
    """Whether it is what a step adds, and not what is held after the last one."""
    return metric.endswith(_SLOPE)


def slope(read: Mapping[int, float]) -> Fraction:
    """Return what a step adds, from what was read at the first and the last; exact."""
    first, last = min(read), max(read)
    return Fraction(Fraction(read[last]) - Fraction(read[first]), last - first)
