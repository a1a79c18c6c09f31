"""What instructions and time say together."""

from __future__ import annotations

from countci.model import Change, Reason, Status

_STORIES = {
    ("up", "up"): "regression in the code: more instructions, and slower",
    ("same", "up"): "slower with the same instructions: layout, cache or machine; compare the "
    "misses of a simulated run (valgrind --tool=cachegrind --cache-sim=yes), or link the objects "
    "in another order",
    ("up", "same"): "more work that the processor hides: the time is within its limit",
    ("down", "up"): "a trade: fewer instructions, but slower ones",
}


def story(instructions: Change, time: Change) -> Reason | None:
    """Return what the two together mean; None where each speaks for itself, or can't decide."""
    if Status.ERROR in (instructions.status, time.status) or instructions.proven:
        return None
    if time.status is Status.UNSETTLED:
        return None
    told = _STORIES.get((_instructions(instructions), _time(time)))
    return None if told is None else Reason(code="both", text=told)


def _instructions(change: Change) -> str:
    if change.status is Status.FAIL:
        return "up"
    fell = change.delta is not None and change.delta < -change.limit.share
    return "down" if fell else "same"


def _time(change: Change) -> str:
    return "up" if change.status is Status.FAIL else "same"
