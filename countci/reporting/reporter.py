"""What every reporter is, and how a report is to look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from countci.model import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a report is to look; a reporter of files may ignore it."""

    width: int
    """Columns."""
    colour: bool
    """Words carry the meaning; colour only repeats it."""


class Reporter(Protocol):
    """Turns a report into text. Pure: no clock, no environment, no file."""

    suffix: str
    """Of the files it fills, without the point; also their golden file's in the tests."""

    def render(self, report: Report, look: Look) -> str:
        """Return `report` as text that ends with a newline."""
        ...
