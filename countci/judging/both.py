"""What instructions and time say together."""

from __future__ import annotations

from countci.model import Change, Reason, Status
from countci.units import show_count, show_share

_SAME = (
    "slower with the same instructions: layout, cache or machine; link the objects in another "
    "order to see which"
)
_EQUAL = 0.001
"""As small a difference explains no time."""
_STORIES = {
    ("up", "up"): "regression in the code: more instructions, and slower",
    ("same", "up"): _SAME,
    ("up", "same"): "more work that the processor hides: the time is within its limit",
    ("down", "up"): "a trade: fewer instructions, but slower ones",
}


_NOTICEABLE = 100_000
"""Instructions, some 30 µs: a start-up that rose by less is nobody's complaint."""


def start_up(instructions: Change) -> Reason | None:
    """Return that what is around the asks rose beyond the limit; it is told, and not judged."""
    before, after = instructions.start_up_base, instructions.start_up_head
    if before is None or after is None or before <= 0 or after - before < _NOTICEABLE:
        return None
    share = after / before - 1
    if share <= instructions.limit.share:
        return None
    text = (
        f"start-up does {show_share(share)} more work ({show_count(before)} → {show_count(after)}"
        " instructions), which no limit judges: if users wait for it, make it a query of its own, "
        "without {n}"
    )
    return Reason(code="start-up", text=text)


def story(instructions: Change, time: Change) -> Reason | None:
    """Return what the two together mean; None where each speaks for itself, or can't decide."""
    if Status.ERROR in (instructions.status, time.status) or instructions.proven:
        return None
    if time.status is Status.UNSETTLED:
        return None
    told = _STORIES.get((_instructions(instructions), _time(time)))
    if told is _SAME and abs(instructions.delta or 0.0) > _EQUAL:
        moved = show_share(instructions.delta or 0.0)
        told = f"slower, which {moved} instructions don't explain: layout, cache or machine"
    if told and _instructions(instructions) == "same" and start_up(instructions):
        told = "slower, though an ask does the same work: start-up does more"
    return None if told is None else Reason(code="both", text=told)


def _instructions(change: Change) -> str:
    if change.status is Status.FAIL:
        return "up"
    fell = change.delta is not None and change.delta < -change.limit.share
    return "down" if fell else "same"


def _time(change: Change) -> str:
    return "up" if change.status is Status.FAIL else "same"
