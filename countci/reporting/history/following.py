"""The commands that go on from a history or a search, as they are typed. Pure."""

from __future__ import annotations

import math
import shlex
from collections.abc import Container

from countci.model import INSTRUCTIONS, Bisection, Step

_LIMIT = 0.001
"""What `log` and `bisect` take unless told."""
_LOOKED = 20
"""Commits that the log of a long range looks at first."""


def after_step(
    step: Step,
    looked: Container[str],
    options: str,
    *,
    metric: str = INSTRUCTIONS.name,
    limit: float = _LIMIT,
) -> str:
    """Return what to type next: an explanation, or a search among suspects nobody looked at.

    Args:
        step: the step.
        looked: shas of the commits that were looked at; those without a number are gaps for good.
        options: what every command here has to be given.
        metric: which one the step was seen in.
        limit: what a step is more than.
    """
    ends = f"{step.before.sha[:10]} {step.commit.sha[:10]} {shlex.quote(step.query)}"
    if all(each.sha in looked for each in step.suspects):
        return _joined("countci explain", ends, options)
    seen_in = "" if metric == INSTRUCTIONS.name else f"--metric {shlex.quote(metric)}"
    return _joined("countci bisect", ends, seen_in, _limit(limit), options)


def after_equal_ends(found: Bisection) -> str:
    """Return what shows moves that cancel each other out; nothing where `log` can't see them."""
    if found.metric != INSTRUCTIONS.name:
        return ""
    range_ = f"{found.good.sha[:10]}..{found.bad.sha[:10]}"
    query = f"--query {shlex.quote(found.query)}"
    every = f"--every {math.ceil(found.commits / _LOOKED)}" if found.commits > _LOOKED else ""
    return _joined("countci log", range_, query, every, _limit(found.limit), found.options)


def _limit(share: float) -> str:
    if share == _LIMIT:
        return ""
    percent = f"{share * 100:.10f}".rstrip("0").rstrip(".")
    return f"--limit {percent}%"


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
