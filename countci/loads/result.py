"""What a load found: the client's own file, or another program's output, as one type."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from countci.errors import MeasureError


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `inside/load.py`, as `inside/loading.py` describes it. Times in seconds."""

    sent: int
    answered: int
    errors: int = 0
    error: str = ""
    wall: float
    cpu: float
    rate: float
    connections: int = 0
    latency: dict[str, float] = {}
    lateness: dict[str, float] = {}
    achieved: float = 0.0

    @property
    def missing(self) -> int:
        """Requests that got neither an answer nor an error."""
        return max(0, self.sent - self.answered - self.errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a load measured, and why it may not count."""

    values: dict[str, float]
    wall: float
    invalid: tuple[str, ...] = ()
    details: dict[str, float] = field(default_factory=dict)
    """What is kept beside the metrics: lateness, achieved rate."""


def read(path: Path) -> Found:
    """Return what the client wrote.

    Raises:
        MeasureError: it wrote nothing.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Found)
    except OSError as error:
        raise MeasureError("the load ended without a result", where=str(path)) from error
