"""Queries that take longer for the same instructions: run once more with caches and branches.

It changes no verdict: what is seen is a note of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec

import countci.measuring.asking as asking
from countci import counting, judging, queries
from countci.counting import Count, Misses
from countci.errors import CountciError
from countci.measuring.bench import Bench
from countci.model import (
    INSTRUCTIONS,
    TIME,
    Build,
    CommandWork,
    Comparison,
    Measurement,
    Query,
    Reason,
    Status,
    Verdict,
)


def add(
    bench: Bench,
    comparisons: Sequence[Comparison],
    verdicts: Iterable[Verdict],
    builds: tuple[Build, Build],
) -> tuple[Comparison, ...]:
    """Return the comparisons, with a note where time failed and instructions are the same.

    Args:
        bench: where.
        comparisons: all of them.
        verdicts: of them.
        builds: base and head.
    """
    wanted = {verdict.query for verdict in verdicts if only_slower(verdict)}
    worth = [each for each in comparisons if each.query.id in wanted and _possible(each)]
    if not worth:
        return tuple(comparisons)
    sides = (
        [(each.query, each.base) for each in worth],
        [(each.query, each.head) for each in worth],
    )
    found = [_side(bench, side, build) for side, build in zip(sides, builds, strict=True)]
    notes = {each.query.id: _note(*(side[each.query.id] for side in found)) for each in worth}
    return tuple(
        msgspec.structs.replace(each, notes=(*each.notes, notes[each.query.id]))
        if each.query.id in notes
        else each
        for each in comparisons
    )


def only_slower(verdict: Verdict) -> bool:
    """Return whether time passed its limit, and instructions are the same on both sides."""
    changes = {change.metric: change for change in verdict.changes}
    counted, timed = changes.get(INSTRUCTIONS.name), changes.get(TIME.name)
    slower = timed is not None and timed.status is Status.FAIL
    return slower and counted is not None and judging.same_instructions(counted)


def _possible(comparison: Comparison) -> bool:
    """Return whether it can be run as a whole: the asks of a Python function can't."""
    both = None not in (comparison.base, comparison.head)
    return both and isinstance(comparison.query.work, CommandWork)


def _side(
    bench: Bench, counted: Sequence[tuple[Query, Measurement | None]], build: Build
) -> dict[str, Misses | CountciError]:
    """Return what each query misses on the build, by its id; or what kept it from being seen."""
    found: dict[str, Misses | CountciError] = {}
    with ThreadPoolExecutor(bench.job.jobs) as runs:
        for query, measured in counted:
            assert measured is not None
            bench.progress.step(f"simulate {query.id}")
            try:
                found[query.id] = _missed(bench, query, measured, build, runs)
            except CountciError as error:
                found[query.id] = error
    return found


def _missed(
    bench: Bench, query: Query, measured: Measurement, build: Build, runs: ThreadPoolExecutor
) -> Misses:
    varied = queries.varied(query, build.variant)
    counts = measured.counts[INSTRUCTIONS.name]
    bench.bring(build, varied)
    request = asking.request(bench, build, varied, tuple(point.n for point in counts.points))
    assert isinstance(request, Count)
    return counting.misses(replace(request, counter=measured.counter), counts, runs)


def _note(base: Misses | CountciError, head: Misses | CountciError) -> Reason:
    for each in (base, head):
        if isinstance(each, CountciError):
            text = f"its caches and branches could not be simulated: {each}"
            return Reason(code="not-simulated", text=text)
    from countci.explaining import simulated

    assert isinstance(base, Misses)
    assert isinstance(head, Misses)
    return simulated.reason(base, head)
