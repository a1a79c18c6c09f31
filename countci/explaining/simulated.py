"""What simulated caches and branches say of a query that takes longer for the same instructions."""

from __future__ import annotations

from collections.abc import Iterator

from countci.counting import Misses
from countci.model import Reason
from countci.units import show_count, show_share

_MISSES = 0.02
"""Of base: other environments move a cache's misses by 0.01 %, unused functions by as much."""
_BRANCHES = 0.25
"""Of base: the simulated predictor's tables are shared by address, so that functions which never
run move its misses by up to 13 %."""
_WORTH = 0.005
"""Of the ask's instructions, as cycles: less can't be why a limit of some percent is passed."""
_CYCLES = {"data": 10, "last": 100, "branches": 10}
"""Of one miss, as KCachegrind estimates them."""
_NOTHING = Reason(
    code="no-misses",
    text="no cause seen in the simulation, which sees caches and branches only: not latency "
    "chains, denormals, alignment, TLB, page faults, contention",
)


def reason(base: Misses, head: Misses) -> Reason:
    """Return which misses rose, or that no cause is seen; it judges nothing."""
    found = list(_risen(base, head))
    if not found:
        return _NOTHING
    return Reason(code="misses", text=f"simulated, an ask has more {', '.join(found)}")


def _risen(base: Misses, head: Misses) -> Iterator[str]:
    """Yield each kind of misses that rose enough to be seen in the time."""
    for name, least, noun in (
        ("data", _MISSES, "misses of the first-level data cache"),
        ("last", _MISSES, "misses of the last-level cache"),
        ("branches", _BRANCHES, "mispredicted branches"),
    ):
        before, after = getattr(base, name), getattr(head, name)
        more = after - before
        if more < least * before or more * _CYCLES[name] < _WORTH * base.instructions:
            continue
        change = f" ({show_share(after / before - 1, digits=0)})" if before >= 1 else ""
        yield f"{noun}: {show_count(before)} → {show_count(after)}{change}"
