"""The rule for sampled metrics: when there are enough pairs, and what they then say.

    d = head / base - 1 of each pair, its sign turned so that above 0 is worse
    [low, high] = exact interval of the median of d, 97.5 % each side
    after 10, 20, 30, 40 pairs: FAIL early only if low > limit, PASS early if high < limit
    at 40: FAIL if median > limit and low > 0; UNSETTLED if median > limit; else PASS
    a FAIL is provisional: as many fresh pairs again must have median > limit / 2, and all
        together median > limit and low > 0; otherwise UNSETTLED, or PASS by all together
    a FAIL that was confirmed asks for the null control, pairs of base against itself, looked
        at as often as the pairs: at the first look where their interval holds 0 and their
        median is within limit / 2 the FAIL stands, as it does where low of all together is
        above limit by more than their interval reaches; if none of the looks says so, UNSETTLED

One look at ten control pairs would take back 6 % of the true failures, by noise alone.
Stopping with FAIL at the first look where the median passes would fail half of all gates whose
true change is just below the limit. `benchmarks/timing_rule.py` prints what the rule gets right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from countci.judging.deltas import Deltas
from countci.judging.statistics import interval, median
from countci.model import Status, Wanted

LOOKS = (10, 20, 30, 40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the pairs so far say."""

    status: Status
    """Unsettled as long as pairs are wanted."""
    code: str = ""
    """Why it isn't what the first pairs said: a reason's code; empty when it is."""
    wanted: Wanted | None = None


def decide(deltas: Deltas, limit: float) -> Decision:
    """Return what `deltas` say of a limit, or which pairs are missing to say it."""
    count = len(deltas.pairs)
    missing = _to_next_look(count)
    if missing:
        return _want("pairs", missing)
    first = _look(deltas.pairs, limit)
    if first is None:
        return _want("pairs", _to_next_look(count + 1) + 1)
    if first is not Status.FAIL:
        return Decision(status=first, code="undecided" if first is Status.UNSETTLED else "")
    missing = count - len(deltas.confirming)
    if missing > 0:
        return _want("confirming", missing)
    return _confirm(deltas, limit)


def _to_next_look(count: int) -> int:
    return next((look - count for look in LOOKS if look >= count), 0)


def _look(pairs: Sequence[float], limit: float) -> Status | None:
    """Return what one look says; None: look again later."""
    found = interval(pairs)
    if found.low > limit:
        return Status.FAIL
    if found.high < limit:
        return Status.PASS
    if len(pairs) < LOOKS[-1]:
        return None
    return _settle(pairs, limit)


def _settle(pairs: Sequence[float], limit: float) -> Status:
    if median(pairs) <= limit:
        return Status.PASS
    return Status.FAIL if interval(pairs).low > 0 else Status.UNSETTLED


def _confirm(deltas: Deltas, limit: float) -> Decision:
    pooled = _settle(deltas.pooled, limit)
    if pooled is not Status.FAIL:
        return Decision(status=pooled, code="unconfirmed")
    if median(deltas.confirming) <= limit / 2:
        return Decision(status=Status.UNSETTLED, code="unconfirmed")
    # Only here can the control change the verdict, so only here it is worth its runs.
    return _control(deltas, limit)


def _control(deltas: Deltas, limit: float) -> Decision:
    count = len(deltas.control)
    missing = _to_next_look(count)
    if missing:
        return _want("control", missing)
    if not noisy(deltas.control, limit):
        return Decision(status=Status.FAIL)
    if interval(deltas.pooled).low > limit + interval(deltas.control).reach:
        return Decision(status=Status.FAIL, code="beyond-noise")
    if count < LOOKS[-1]:
        return _want("control", _to_next_look(count + 1) + 1)
    return Decision(status=Status.UNSETTLED, code="noisy")


def noisy(control: Sequence[float], limit: float) -> bool:
    """Whether base differs from itself too much to fail anything by this limit."""
    return not interval(control).holds_zero or abs(median(control)) > limit / 2


def _want(block: Literal["pairs", "confirming", "control"], more: int) -> Decision:
    wanted = Wanted(block=block, more=more)
    return Decision(status=Status.UNSETTLED, code="unfinished", wanted=wanted)
