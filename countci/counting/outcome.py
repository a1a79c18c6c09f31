"""What became of one query on one side."""

from __future__ import annotations

from dataclasses import dataclass

from countci.model import Measurement, Problem, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A measurement or a problem; of a test that was skipped, neither."""

    measurement: Measurement | None = None
    problem: Problem | None = None
    notes: tuple[Reason, ...] = ()
    ended: float = 0.0
    """When its first run did, on the clock of `time.monotonic`; 0 when that was another day."""
    skipped: str = ""
    """Why a test of a suite was."""
