"""A judged change as a step, if it is one. Pure."""

from __future__ import annotations

from countci.history.survey import Measured
from countci.model import Change, Commit, Step


def step_of(
    query: str,
    sides: tuple[Measured, Measured],
    found: Change,
    suspects: tuple[Commit, ...],
) -> Step | None:
    """Return the step between two commits; None when it isn't beyond limit and noise.

    Args:
        query: id.
        sides: the commits before and after.
        found: what counting them said, with the limit of a step.
        suspects: the commits one of which made it, oldest first.
    """
    if found.delta is None or found.base is None or found.head is None:
        return None
    if abs(found.delta) <= max(found.limit.share, found.noise or 0.0):
        return None
    return Step(
        query=query,
        before=sides[0].commit,
        commit=sides[1].commit,
        suspects=suspects,
        base=found.base,
        head=found.head,
        delta=found.delta,
        noise=found.noise,
    )
