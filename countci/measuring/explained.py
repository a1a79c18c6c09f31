"""Where differences come from: what failed is run once more on both sides, for lines and calls.

An explanation never changes a verdict: what can't be explained says why in its notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial

import msgspec

import countci.measuring.asking as asking
from countci import counting, queries, revisions
from countci.counting import Count, Trace
from countci.errors import CountciError
from countci.explaining import Question, Side, diff, explain, python
from countci.explaining.binaries import examine
from countci.measuring.bench import Bench
from countci.measuring.worth import per_ask
from countci.model import (
    INSTRUCTIONS,
    Build,
    Comparison,
    Explanation,
    Measurement,
    Reason,
    Revision,
)
from countci.revisions import Repository


@dataclass(frozen=True, slots=True)
class _Seen:
    """One side of a query, and what was noticed on the way."""

    what: Side | Trace
    """A Python query is told in Python's own words, everything else by machine code."""
    notes: tuple[Reason, ...] = ()


def add(
    bench: Bench, comparisons: Sequence[Comparison], base: Build, head: Build
) -> tuple[Explanation, ...]:
    """Return an explanation of each comparison, in the same order."""
    if not comparisons:
        return ()
    differing = _Differing(bench, base.revision, head.revision)
    before = _side(comparisons, base, "base", differing)
    after = _side(comparisons, head, "head", differing)
    return tuple(
        _explanation(each, before[each.query.id], after[each.query.id], differing)
        for each in comparisons
    )


def _side(
    comparisons: Sequence[Comparison], build: Build, name: str, differing: _Differing
) -> dict[str, _Seen | CountciError]:
    """Return what is seen of each query on the build, by its id; or what kept it from being."""
    found: dict[str, _Seen | CountciError] = {}
    bench = differing.bench
    with ThreadPoolExecutor(bench.job.jobs) as runs:
        for number, each in enumerate(comparisons, start=1):
            bench.progress.step(f"explain {name}, {number} of {len(comparisons)}")
            measured = each.base if name == "base" else each.head
            assert measured is not None
            try:
                found[each.query.id] = _seen(each, measured, build, runs, differing)
            except CountciError as error:
                found[each.query.id] = error
    return found


def _seen(
    comparison: Comparison,
    measured: Measurement,
    build: Build,
    runs: ThreadPoolExecutor,
    differing: _Differing,
) -> _Seen:
    bench = differing.bench
    query = queries.varied(comparison.query, build.variant)
    counts = measured.counts[INSTRUCTIONS.name]
    bench.bring(build, query)
    request = asking.request(bench, build, query, tuple(point.n for point in counts.points))
    if not isinstance(request, Count):
        return _Seen(counting.traced(request))
    request = replace(request, counter=measured.counter)
    graphed = counting.cost_graph(request, counts, runs, differing.files)
    places = bench.plan.places
    examined = examine(graphed.graph, places.stage, bench.place.env)
    source = partial(_text, bench.plan.repository, build.revision)
    side = Side(graph=graphed.graph, code=examined.code, source=source)
    return _Seen(side, (*graphed.notes, *examined.notes))


def _text(repository: Repository, revision: Revision, path: str) -> str | None:
    """Return the text of a file of a revision; None when there is none."""
    content = revisions.read_file(repository, revision, path)
    return None if content is None else content.decode(errors="replace")


@dataclass(frozen=True)
class _Differing:
    """What lies between the two revisions."""

    bench: Bench
    base: Revision
    head: Revision

    @cached_property
    def compiled(self) -> str:
        """The diff for compiled languages."""
        return revisions.diff(self.bench.plan.repository, self.base, self.head)

    @cached_property
    def files(self) -> frozenset[str]:
        """What the diff for compiled languages edits."""
        return diff.parse(self.compiled).files

    @cached_property
    def indented(self) -> str:
        """The diff for Python."""
        return revisions.diff(self.bench.plan.repository, self.base, self.head, indented=True)

    def text(self, path: str) -> str | None:
        """Return the text of a file of head."""
        return _text(self.bench.plan.repository, self.head, path)


def _explanation(
    comparison: Comparison,
    before: _Seen | CountciError,
    after: _Seen | CountciError,
    differing: _Differing,
) -> Explanation:
    totals = per_ask(comparison.base), per_ask(comparison.head)
    for each in (before, after):
        if isinstance(each, CountciError):
            note = Reason(code="not-explained", text=f"it could not be explained: {each}")
            return _unexplained(comparison, totals, note)
    assert isinstance(before, _Seen)
    assert isinstance(after, _Seen)
    found = _answer(comparison.query.id, (before.what, after.what), totals, differing)
    notes = dict.fromkeys((*found.notes, *before.notes, *after.notes))
    return msgspec.structs.replace(found, notes=tuple(notes))


def _answer(
    query: str, sides: tuple[Side | Trace, ...], totals: tuple[float, float], differing: _Differing
) -> Explanation:
    base, head = sides
    if isinstance(base, Trace) and isinstance(head, Trace):
        return python.explain(
            python.Question(
                query=query,
                base=base,
                head=head,
                diff=differing.indented,
                totals=totals,
                source=differing.text,
            )
        )
    assert isinstance(base, Side)
    assert isinstance(head, Side)
    question = Question(query=query, base=base, head=head, diff=differing.compiled, totals=totals)
    return explain(question)


def _unexplained(comparison: Comparison, totals: tuple[float, float], note: Reason) -> Explanation:
    base, head = totals
    return Explanation(query=comparison.query.id, base=base, head=head, notes=(note,))
