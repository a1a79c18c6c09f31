"""What instructions and time say together."""

from __future__ import annotations

from countci.model import Change, Reason, Status
from countci.units import show_count, show_share

_SAME = 0.001
"""Instructions that moved by less explain no time that passed its limit."""
_STORIES = {
    ("up", "up"): "regression in the code: more instructions, and slower",
    ("same", "up"): "slower with the same instructions: layout, cache or machine; link the "
    "objects in another order to see which",
    ("within", "up"): "slower, which {moved} instructions don't explain: layout, cache or machine",
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
    if told is None:
        return None
    if _instructions(instructions) in {"same", "within"} and start_up(instructions):
        told = "slower, though an ask does about the same work: start-up does more"
    text = told.format(moved=show_share(instructions.delta or 0.0))
    return Reason(code="both", text=text)


def same_instructions(change: Change) -> bool:
    """Return whether instructions moved too little to explain any time."""
    return change.delta is not None and abs(change.delta) <= max(_SAME, change.noise or 0.0)


def _instructions(change: Change) -> str:
    if change.status is Status.FAIL:
        return "up"
    if change.delta is not None and change.delta < -change.limit.share:
        return "down"
    return "same" if same_instructions(change) else "within"


def _time(change: Change) -> str:
    return "up" if change.status is Status.FAIL else "same"
