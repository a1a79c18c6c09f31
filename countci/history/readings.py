"""What was measured, as the rows of a history. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from countci.counting import Outcome
from countci.history.lines import Before
from countci.history.survey import Measured
from countci.model import Entry, Problem, Reading

_NOTHING = Problem(problem="an ask costs nothing here")


Numbers: TypeAlias = Mapping[tuple[str, str], Fraction]
"""Exact counts per ask, by sha and query, oldest first."""


def entries(
    measured: Sequence[Measured],
    numbers: Numbers,
    before: Mapping[tuple[str, str], Before],
    queries: Sequence[str],
) -> tuple[Entry, ...]:
    """Return one row for each commit, in the same order.

    Args:
        measured: oldest first.
        numbers: of them.
        before: what came before a commit, by its sha and the query.
        queries: ids.
    """
    firsts: dict[str, Fraction] = {}
    for (_, query), number in numbers.items():
        firsts.setdefault(query, number)
    found = []
    for each in measured:
        sha = each.commit.sha
        readings = {}
        for query in queries:
            if query not in each.outcomes:
                continue
            earlier = before.get((sha, query))
            readings[query] = _reading(
                each.outcomes[query],
                numbers.get((sha, query)),
                numbers.get((earlier.sha, query)) if earlier else None,
                firsts.get(query),
            )
        found.append(entry(each, readings))
    return tuple(found)


def entry(measured: Measured, readings: dict[str, Reading]) -> Entry:
    """Return the row of one commit."""
    return Entry(
        commit=measured.commit,
        build=measured.build,
        readings=readings,
        problem=measured.problem,
    )


def change(before: Fraction, after: Fraction) -> float:
    """Return how far a count moved, as a fraction: exactly 0 where it didn't."""
    return 0.0 if after == before else float(after / before - 1)


def _reading(
    outcome: Outcome,
    number: Fraction | None,
    before: Fraction | None,
    first: Fraction | None,
) -> Reading:
    if number is None:
        return Reading(problem=outcome.problem or _NOTHING)
    return Reading(
        per_ask=float(number),
        change=None if before is None else change(before, number),
        since=None if first is None else change(first, number),
    )
