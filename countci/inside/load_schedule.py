"""When requests are sent, and what became of their times: pure."""

from __future__ import annotations

import math
import random
from array import array

_SHOWN = {"p50": 0.5, "p75": 0.75, "p90": 0.9, "p99": 0.99, "max": 1.0}


def draw(arrivals: str, rate: float, count: int, seed: int) -> array[int]:
    """Return when each request is due, in nanoseconds from the start, by rising time.

    Args:
        arrivals: `constant`, equally far apart; `poisson`, independent of each other.
        rate: requests a second.
        count: how many.
        seed: the same one gives the same times.
    """
    gap = 1e9 / rate
    if arrivals == "constant":
        return array("q", (round(number * gap) for number in range(count)))
    coin = random.Random(seed)  # noqa: S311 - no secret; a seed lets both sides get the same
    due, at = array("q"), 0.0
    for _ in range(count):
        due.append(round(at))
        at += coin.expovariate(1.0) * gap
    return due


def percentiles(nanoseconds: array[int]) -> dict[str, float]:
    """Return exact percentiles in seconds: of n times, the ⌈p·n⌉th; nothing of no times."""
    ordered = sorted(nanoseconds)
    if not ordered:
        return {}
    return {
        name: ordered[max(0, math.ceil(share * len(ordered)) - 1)] / 1e9
        for name, share in _SHOWN.items()
    }
