"""Counts taken again until each query can be judged: its noise is read from them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from msgspec.structs import replace as with_fields

import countci.measuring.asking as asking
import countci.measuring.beside as beside
from countci import counting, judging, queries
from countci.counting import Outcome, Request, Suite
from countci.measuring.bench import Bench
from countci.model import INSTRUCTIONS, Again, Build, Problem, Query, Recount

Name: TypeAlias = Literal["base", "head"]
_STEP = 1.05
"""Seconds between two counts of one build: programs seed with clocks whose steps are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A build, and what became of each query on it."""

    build: Build
    outcomes: Mapping[str, Outcome]


def settle(bench: Bench, wanted: Sequence[Query], base: Side, head: Side) -> tuple[Side, Side]:
    """Return both sides with everything counted again that judging them takes.

    Args:
        bench: where.
        wanted: queries that were counted.
        base: what they gave there.
        head: what they gave there; its build is likely to be on the stage.
    """
    sides: dict[Name, Side] = {"head": head, "base": base}
    changed: dict[tuple[Name, str], Query] = {}
    while missing := _missing(wanted, sides["base"], sides["head"]):
        for name, side in sides.items():
            those = [(query, each) for query, each in missing if each.side == name]
            if those:
                count = len({query.id for query, _ in those})
                bench.progress.step(f"count {name} again, {count} of {len(wanted)}")
                sides[name] = _counted_again(bench, side, those)
                changed |= {(name, query.id): query for query, _ in those}
    kept = [
        (sides[name].outcomes[of].measurement, queries.varied(query, sides[name].build.variant))
        for (name, of), query in changed.items()
    ]
    bench.store.keep(*((found, query.digest) for found, query in kept if found))
    return sides["base"], sides["head"]


def _missing(wanted: Sequence[Query], base: Side, head: Side) -> list[tuple[Query, Recount]]:
    found = []
    for query in wanted:
        before, after = base.outcomes.get(query.id), head.outcomes.get(query.id)
        if before is None or after is None or before.problem or after.problem:
            continue
        if before.measurement and after.measurement:
            more = judging.wanted_counts(query, before.measurement, after.measurement)
            found += [(query, each) for each in more]
    return found


def _counted_again(bench: Bench, side: Side, missing: Sequence[tuple[Query, Recount]]) -> Side:
    """Return `side` with these counts added; a query that fails now has that as its problem."""
    missing = [(queries.varied(query, side.build.variant), each) for query, each in missing]
    others = [(query, each) for query, each in missing if each.metric != INSTRUCTIONS.name]
    missing = [(query, each) for query, each in missing if each.metric == INSTRUCTIONS.name]
    if others:
        time.sleep(_STEP)
    outcomes = beside.again(bench, side.build, others, side.outcomes)
    if not missing:
        return replace(side, outcomes=outcomes)
    _, failed = asking.set_up(bench, side.build, (query for query, _ in missing))
    wanted = [(query, each) for query, each in missing if query.id not in failed]
    requests = [_request(bench, side, query, each) for query, each in wanted]
    _wait(max(outcomes[query.id].ended for query, _ in missing))
    counted = counting.count_all(_together(requests), jobs=bench.job.jobs, progress=bench.progress)
    for query, each in wanted:
        now = counted.get(asking.name(query, each.seed)) or _not_there(query, counted, each.seed)
        outcomes[query.id] = _joined(outcomes[query.id], now, each.seed)
    for name, problem in failed.items():
        outcomes[name] = replace(outcomes[name], problem=problem)
    return replace(side, outcomes=outcomes)


def _request(bench: Bench, side: Side, query: Query, each: Recount) -> Request:
    measurement = side.outcomes[query.id].measurement
    assert measurement is not None
    made = asking.request(bench, side.build, query, each.points, each.seed)
    return replace(made, counter=measurement.counter)


def _together(requests: Sequence[Request]) -> list[Request]:
    """Return the requests, those for tests of one suite at one seed as a single one."""
    suites: dict[str, Suite] = {}
    for each in requests:
        if not isinstance(each, Suite):
            continue
        name = f"{each.query}{each.label}"
        before = suites.get(name, each)
        suites[name] = replace(
            each,
            patterns=tuple(dict.fromkeys([*before.patterns, *each.patterns])),
            points={**before.points, **each.points},
        )
    return [*(each for each in requests if not isinstance(each, Suite)), *suites.values()]


def _not_there(query: Query, counted: Mapping[str, Outcome], seed: int) -> Outcome:
    """Return why a test has no outcome of its own: its suite's problem, or it is gone."""
    whole = counted.get(asking.suite_name(query, seed))
    gone = Problem(problem="it was there only the first time", where=query.id)
    return Outcome(problem=(whole.problem if whole else None) or gone)


def _wait(ended: float) -> None:
    time.sleep(max(0.0, ended + _STEP - time.monotonic()))


def _joined(before: Outcome, now: Outcome, seed: int) -> Outcome:
    if before.measurement is None or now.measurement is None:
        return replace(before, problem=before.problem or now.problem)
    name = INSTRUCTIONS.name
    own, more = before.measurement.counts[name], now.measurement.counts[name]
    own = with_fields(own, again=(*own.again, Again(points=more.points, seed=seed)))
    counts = {**before.measurement.counts, name: own}
    measurement = with_fields(before.measurement, counts=counts)
    return replace(before, measurement=measurement, ended=now.ended)
