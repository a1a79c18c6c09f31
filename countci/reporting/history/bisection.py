"""What a search found, for people and for programs."""

from __future__ import annotations

import msgspec

from countci.model import Bisection, Commit
from countci.reporting.clean import one_line
from countci.reporting.history.following import after_equal_ends, after_step
from countci.reporting.history.terminal import step_lines
from countci.reporting.history.words import day, subject, why
from countci.reporting.layout import cut, wrap
from countci.reporting.reporter import Look
from countci.reporting.terminal_explained import explanations
from countci.reporting.words import heading
from countci.units import show_count, show_limit, show_seconds, show_share

_NARROWEST = 60


def render(found: Bisection, look: Look) -> str:
    """Return `found` in lines of at most `look.width` columns."""
    width = max(_NARROWEST, look.width)
    asked = f"{one_line(found.query)}: {heading(found.metric).lower()}"
    lines = [
        _end("good", found.good, found.base, width),
        _end("bad", found.bad, found.head, width),
        "",
        *wrap(f"{asked}, {show_share(found.delta)} in all; {_looked(found)}", width, later="  "),
    ]
    known = {each.sha for step in found.steps for each in step.suspects}
    for step in found.steps:
        # What was skipped here is a gap for good: another search would skip it too.
        lines += ["", *step_lines((step,), after_step(step, known, found.options), width)]
    explained = explanations(found.explanations, width)
    lines += ["".join(part.text for part in line) for line in explained]
    lines += ["", *wrap(_conclusion(found), width), *_gaps(found, width)]
    lines += wrap(f"{show_seconds(found.seconds)} in all", width)
    return "".join(line.rstrip() + "\n" for line in lines)


def as_json(found: Bisection) -> str:
    """Return `found` for programs."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"


def _end(name: str, commit: Commit, number: float, width: int) -> str:
    start = f"{name:<4}  {commit.sha[:10]}  {day(commit)}  {show_count(number)}  "
    return start + cut(subject(commit), width - len(start))


def _looked(found: Bisection) -> str:
    # Good itself lies before the commits that are suspected.
    return f"{len(found.entries) - 1} of {found.commits} commits measured beside good"


def _conclusion(found: Bisection) -> str:
    limit = show_limit(found.limit)
    if abs(found.delta) <= found.limit:
        following = after_equal_ends(found)
        seen = f" Moves that cancel each other out are seen by {following}" if following else ""
        if not found.delta:
            return f"The ends are equal: nothing was searched.{seen}"
        return (
            f"The ends are equal but for {show_share(found.delta)}, within the limit of {limit}: "
            f"nothing was searched.{seen}"
        )
    if not found.steps:
        return f"No commit moved it by more than {limit} alone: many small moves add up."
    sizes = "1 step" if len(found.steps) == 1 else f"{len(found.steps)} steps"
    if abs(found.rest) < 5e-10:  # a float's own rounding
        return f"{sizes}, and nothing else moved it."
    return f"{sizes}; moves within the limit of {limit} leave {show_share(found.rest)} of good."


def _gaps(found: Bisection, width: int) -> list[str]:
    lines: list[str] = []
    for each in found.entries:
        reading = each.readings.get(found.query)
        if reading is None or reading.per_ask is None:
            text = f"{each.commit.sha[:10]} was skipped: {why(each, found.query)}"
            lines += wrap(text, width, later="  ")
    return lines
