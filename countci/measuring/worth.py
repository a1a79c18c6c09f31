"""Which comparisons are explained.

Apart from how, which is a fifth of countci's start: most runs have nothing to explain.
"""

from __future__ import annotations

from collections.abc import Iterable

from countci.model import INSTRUCTIONS, Comparison, Kind, Measurement, Status, Verdict

MOST = 10
"""Queries that are explained in one run: each takes as long as two or three of its counts."""


def failing(
    verdicts: Iterable[Verdict], comparisons: Iterable[Comparison]
) -> tuple[Comparison, ...]:
    """Return the comparisons whose instructions passed their limit, worst first."""
    worse = {
        verdict.query: change.delta or 0.0
        for verdict in verdicts
        for change in verdict.changes
        if change.metric == INSTRUCTIONS.name and change.status is Status.FAIL
    }
    found = [each for each in comparisons if each.query.id in worse and _both_counted(each)]
    return tuple(sorted(found, key=lambda each: -worse[each.query.id])[:MOST])


def moved(comparisons: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons whose instructions differ at all, whatever the limit."""
    return tuple(
        each
        for each in comparisons
        if _both_counted(each) and per_ask(each.base) != per_ask(each.head)
    )


def _both_counted(comparison: Comparison) -> bool:
    return comparison.kind is Kind.BOTH and None not in (comparison.base, comparison.head)


def per_ask(measured: Measurement | None) -> float:
    """Return the instructions of an ask on a side that was counted."""
    assert measured is not None
    return float(measured.counts[INSTRUCTIONS.name].per_ask)
