"""What can be measured, and how far it may move."""

from __future__ import annotations

from typing import Literal

from countci.model.frozen import Frozen
from countci.units import show_limit, show_value


class Metric(Frozen, frozen=True, kw_only=True):
    """Something that can be measured on both sides."""

    name: str
    unit: str
    """What one of it is, for a heading: `instructions per ask`."""
    exact: bool
    """A count that repeats to the last digit, and not paired samples."""
    better: str = "lower"
    """`lower` or `higher`: which way is an improvement."""

    @property
    def whole(self) -> bool:
        """A count that may be 0, and of which less than one per ask is none.

        Unlike instructions, of which there is no ask that takes none.
        """
        return self.name in {"syscalls", "allocations", "allocated_bytes"}


INSTRUCTIONS = Metric(name="instructions", unit="instructions per ask", exact=True)
TIME = Metric(name="time", unit="seconds per ask", exact=False)
SYSCALLS = Metric(name="syscalls", unit="system calls per ask", exact=True)
ALLOCATIONS = Metric(name="allocations", unit="allocations per ask", exact=True)
ALLOCATED_BYTES = Metric(name="allocated_bytes", unit="bytes per ask", exact=True)
PEAK_MEMORY = Metric(name="peak_memory", unit="bytes", exact=False)
METRICS = {
    metric.name: metric
    for metric in (INSTRUCTIONS, TIME, SYSCALLS, ALLOCATIONS, ALLOCATED_BYTES, PEAK_MEMORY)
}


class Limit(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """How far a metric may move the wrong way."""

    share: float = 0.0
    """Of base: 0.01 for `1%`, 0.5 for `1.5x`."""
    form: Literal["share", "ratio", "amount", "constant", "none"] = "share"
    """`share`: of the median of the pairs' deltas, or of two counts. `ratio`: of the two medians.
    `amount`: of head's own number, whatever base has. `constant`: it may not move at all.
    `none`: it is shown, and may move as it likes."""
    amount: float = 0.0
    """In the metric's unit, for the form `amount`."""

    def text(self, metric: Metric) -> str:
        """Return the limit as people write it: `1 %`, `1.5x`, `216 KiB`, `constant`, `none`."""
        if self.form == "share":
            return show_limit(self.share)
        if self.form == "ratio":
            return f"{1 + self.share:g}x"
        return show_value(self.amount, metric.unit) if self.form == "amount" else self.form


def default_limit(metric: Metric) -> Limit:
    """Return what holds for a metric where nothing else is said."""
    return (
        DEFAULT_LIMITS.get(metric.name)
        or DEFAULT_LIMITS[INSTRUCTIONS.name if metric.exact else TIME.name]
    )


DEFAULT_LIMITS = {
    metric.name: Limit(share=0.01 if metric.exact else 0.03) for metric in METRICS.values()
} | {PEAK_MEMORY.name: Limit(form="none")}
