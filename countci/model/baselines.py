"""Recorded counts, as the repository keeps them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from countci.model.counts import Counts, Output
from countci.model.frozen import Frozen


class Recorded(Frozen, frozen=True, kw_only=True):
    """One exact metric of one query, as a baseline keeps it: four digits after the point."""

    per_ask: Annotated[float, msgspec.Meta(ge=0, lt=1e18)]
    """0 of a whole metric only; a slope that waves below it is 0 too."""
    start_up: Annotated[float, msgspec.Meta(gt=-1e18, lt=1e18)] | None
    """None: a whole process was counted."""
    asks: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]
    """The n of each point."""

    @staticmethod
    def of(counts: Counts) -> Recorded:
        """Return what is kept of `counts`: whoever compares with a record rounds alike."""
        start_up = counts.start_up
        return Recorded(
            per_ask=max(0.0, float(round(counts.per_ask, 4))),
            start_up=None if start_up is None else float(round(start_up, 4)),
            asks=tuple(point.n for point in counts.points),
        )


class RecordedQuery(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """What a baseline keeps of one query."""

    digest: str
    """Of the query: with another one its counts are of other work."""
    output: Output
    metrics: dict[str, Recorded]
    """The exact ones."""
    allocator: str = ""
    """`Measurement.allocator`: with another one its counts are others."""


class Baseline(Frozen, frozen=True, kw_only=True):
    """Counts of one revision on one platform, kept in the repository. Made by `storing`."""

    schema: int = 2
    sha: str
    """40 hex digits of the revision that was counted."""
    subject: str
    fingerprint: dict[str, str]
    """`Fingerprint.platform` of the machine that counted."""
    queries: dict[str, RecordedQuery]
    """By id."""
