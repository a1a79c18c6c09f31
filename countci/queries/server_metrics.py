"""What a load measures, by its kind, and how far each may move. Pure."""

from __future__ import annotations

from countci.model.metrics import Limit, Metric
from countci.model.servers import ServerWork

_BLANK = "\N{NO-BREAK SPACE}"  # a unit of several words is one cell of a table
_CLOSED_LOOP = f"ms{_BLANK}(closed{_BLANK}loop)"
"""A client that waits for its answer sends nothing while the server stalls: no percentile of it
is what a user sees."""
_RATIO = Limit(share=0.5, form="ratio")
"""Percentiles of equal builds differ by 2 % with one schedule, and single ones by far more."""


def metrics_of(work: ServerWork) -> dict[str, Metric]:
    """Return every sampled metric of a load, by name; the usual ones first."""
    if work.load.loop == "open":
        found = [
            Metric(name=f"p{percent}", unit="seconds", exact=False) for percent in (50, 90, 99)
        ]
    else:
        found = [Metric(name="throughput", unit="requests/s", exact=False, better="higher")]
        if work.load.tool == "own":
            found += [
                Metric(name=f"closed_p{percent}", unit=_CLOSED_LOOP, exact=False)
                for percent in (50, 90, 99)
            ]
    if work.neighbour is not None:
        found.append(
            Metric(name="neighbour_throughput", unit="requests/s", exact=False, better="higher")
        )
    return {metric.name: metric for metric in found}


def usual(work: ServerWork) -> tuple[str, ...]:
    """Return which of them are judged where a query names none."""
    own = ("p50", "p90", "p99") if work.load.loop == "open" else ("throughput",)
    return own if work.neighbour is None else (*own, "neighbour_throughput")


def limit_of(metric: Metric) -> Limit:
    """Return how far a metric may move where nothing else is said."""
    if metric.unit in {"seconds", _CLOSED_LOOP}:
        return _RATIO
    return Limit(share=0.1) if metric.name.startswith("neighbour") else Limit(share=0.03)
