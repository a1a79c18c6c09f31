"""What can be measured, and how far it may move."""

from __future__ import annotations

from countci.model.frozen import Frozen


class Metric(Frozen, frozen=True, kw_only=True):
    """Something that can be measured on both sides."""

    name: str
    unit: str
    """What one of it is, for a heading: `instructions per ask`."""
    exact: bool
    """A count that repeats to the last digit, and not paired samples."""
    better: str = "lower"
    """`lower` or `higher`: which way is an improvement."""


INSTRUCTIONS = Metric(name="instructions", unit="instructions per ask", exact=True)
TIME = Metric(name="time", unit="seconds per ask", exact=False)
METRICS = {metric.name: metric for metric in (INSTRUCTIONS, TIME)}


class Limit(Frozen, frozen=True, kw_only=True):
    """How far a metric may move the wrong way, as a fraction of base."""

    share: float


DEFAULT_LIMITS = {"instructions": Limit(share=0.01), "time": Limit(share=0.03)}
