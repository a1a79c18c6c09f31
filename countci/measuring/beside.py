"""What is counted beside instructions, where a query asks for it: system calls, allocations.

At the same n as its instructions, which are counted first: they choose the n, and what the
query read then tells whether it can differ at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from msgspec.structs import replace as with_fields

import countci.measuring.asking as asking
from countci import counting
from countci.counting import TOOLS, Found, Outcome
from countci.measuring.bench import Bench
from countci.model import INSTRUCTIONS, Again, Build, Counts, Query, Recount

_Wanted: TypeAlias = tuple[Query, str, tuple[int, ...]]
"""A query, the tool that counts, and the n of each point."""


def add(
    bench: Bench, build: Build, wanted: Sequence[Query], found: Mapping[str, Outcome]
) -> dict[str, Outcome]:
    """Return `found` with all counts that the queries ask for: what is missing is counted now.

    Args:
        bench: where.
        build: the side.
        wanted: the queries, as they are asked on this side.
        found: what counting the instructions of each gave, by its id.
    """
    missing = [each for query in wanted for each in _missing(query, found.get(query.id))]
    outcomes = dict(found)
    for (query, _), now in _counted(bench, build, missing).items():
        outcomes[query] = _with(outcomes[query], now, now.counts)
    return outcomes


def again(
    bench: Bench,
    build: Build,
    wanted: Sequence[tuple[Query, Recount]],
    outcomes: Mapping[str, Outcome],
) -> dict[str, Outcome]:
    """Return `outcomes` with these counted once more."""
    tools = [(query, TOOLS[each.metric], each.points) for query, each in wanted]
    once = {(query.id, tool): (query, tool, points) for query, tool, points in tools}
    found = dict(outcomes)
    for (query, _), now in _counted(bench, build, [*once.values()]).items():
        measurement = found[query].measurement
        assert measurement is not None
        counts = {
            name: _longer(measurement.counts[name], more)
            for name, more in now.counts.items()
            if name in measurement.counts
        }
        found[query] = _with(found[query], now, counts)
    return found


def counted(query: Query, outcome: Outcome) -> bool:
    """Whether everything was counted that the query asks for."""
    return not any(_missing(query, outcome))


def _missing(query: Query, outcome: Outcome | None) -> Iterator[_Wanted]:
    if outcome is None or outcome.problem or outcome.measurement is None:
        return
    known = outcome.measurement.counts
    names = (name for name in query.exact if name in TOOLS and name not in known)
    points = tuple(point.n for point in known[INSTRUCTIONS.name].points[-2:])
    for tool in dict.fromkeys(TOOLS[name] for name in names):
        yield query, tool, points


def _counted(bench: Bench, build: Build, wanted: Sequence[_Wanted]) -> dict[tuple[str, str], Found]:
    """Return what counting on `build` gave, by query and tool."""
    if not wanted:
        return {}
    _, failed = asking.set_up(bench, build, (query for query, _, _ in wanted))
    requests = [asking.more(bench, *each) for each in wanted if each[0].id not in failed]
    found = counting.count_more(requests, jobs=bench.job.jobs, progress=bench.progress)
    return {
        **{
            (query.id, tool): Found(problem=failed[query.id])
            for query, tool, _ in wanted
            if query.id in failed
        },
        **found,
    }


def _with(outcome: Outcome, now: Found, counts: Mapping[str, Counts]) -> Outcome:
    if outcome.measurement is None or now.problem:
        return replace(outcome, problem=outcome.problem or now.problem)
    both = {**outcome.measurement.counts, **counts}
    return replace(outcome, measurement=with_fields(outcome.measurement, counts=both))


def _longer(counts: Counts, more: Counts) -> Counts:
    return with_fields(counts, again=(*counts.again, Again(points=more.points)))
