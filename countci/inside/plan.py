"""How many asks warm up, and how many each counted segment holds."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

# CPython 3.11 specialises a function at its 8th call, asyncio settles at about 12; the inner
# calls of a long ask have been specialised within it.
WARM: Final = 16
WARM_LONG: Final = 2
LONG: Final = 20_000_000
# From 3.13 on, a site that couldn't be specialised is tried again, ever more seldom: asks of
# asyncio settle at about 60, which bent a line by 0.4 % (3.14). Only small asks, so it is cheap.
WARM_LATE: Final = 64
_SMALL: Final = 8
_LATE: Final = (3, 13)
# A segment must hold 2 million instructions, else the line bends by more than 0.1 %.
ENOUGH: Final = 2_000_000
# Two snapshots with nothing between them are so far apart.
SNAPSHOT: Final = 11_000
MOST: Final = 1 << 16
TOO_LONG: Final = 10.0
"""Seconds: an ask that sleeps longer isn't counted."""


class SleepError(Exception):
    """An ask waits so long that it can't be counted."""


class Plan(NamedTuple):
    """Asks before counting, and in each of the counted segments."""

    warm: int
    points: tuple[int, int, int]


def plan_for(instructions: float) -> Plan:
    """Return the plan for an ask of so many instructions: powers of two."""
    if instructions > LONG:
        return Plan(WARM_LONG, (1, 2, 4))
    first = 4
    while first * instructions < ENOUGH and first < MOST:
        first *= 2
    # Small asks: as many again, since sites that couldn't be specialised are tried again later.
    return Plan(max(WARM, first), (first, 2 * first, 4 * first))


def plan_for_sleep(seconds: float) -> Plan:
    """Return the plan for an ask that sleeps so long: the fewest asks.

    Raises:
        SleepError: too long.
    """
    if seconds > TOO_LONG:
        raise SleepError(f"an ask sleeps {seconds:.0f} s: ten or more of them can't be waited for")
    return Plan(WARM_LONG, (1, 2, 4))


def warm_up(plan: Plan, version: tuple[int, ...]) -> int:
    """Return how many asks that follow one another warm up this version of Python."""
    late = version >= _LATE and plan.points[0] >= _SMALL
    return max(plan.warm, WARM_LATE) if late else plan.warm


def apart(plan: Plan) -> Plan:
    """Return the plan where each ask has two snapshots of its own, which cost far more."""
    if plan.points[0] == 1:
        return Plan(WARM_LONG, (1, 2, 4))
    return Plan(WARM, (2, 4, 8))  # by its own points: they are all that is remembered of it


def counted(pattern: str, pid: int) -> int | None:
    """Return the instructions of one snapshot's profile; None where there is none to read.

    Args:
        pattern: path of the profiles, `%p` standing for the process id, as in cachegrind's
            own option.
        pid: of the snapshot.
    """
    path = Path(pattern.replace("%p", str(pid)))
    try:
        with path.open("rb") as profile:
            profile.seek(max(0, path.stat().st_size - 200))
            total = profile.read().rpartition(b"summary:")[2].strip()
    except OSError:
        return None
    return int(total) if total.isdigit() else None
