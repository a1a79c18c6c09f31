"""Both sides counted: known counts from the store, nothing where nothing can differ.

`tested` does the same for pytest suites, whose tests are known only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import msgspec

import countci.measuring.asking as asking
import countci.measuring.beside as beside
import countci.measuring.recounting as recounting
from countci import builds, counting, queries
from countci.counting import Outcome, Request
from countci.measuring.bench import Bench
from countci.measuring.recounting import Side
from countci.model import (
    INSTRUCTIONS,
    Build,
    Comparison,
    Identity,
    Kind,
    Measurement,
    Problem,
    Query,
    ReadSet,
)

_NOTHING_READ = ReadSet(paths=(), unknown="it was not counted")


def compare(bench: Bench, base: Build, head: Build) -> tuple[Comparison, ...]:
    """Return a comparison of each query that is no suite of tests, with its exact metrics.

    Base first. A query for which nothing that it reads differs is not counted on head; the
    others are, at the same points. Whichever counts it asks for, its instructions are among
    them.
    """
    every = [query for query in bench.plan.suites.queries if not query.collects]
    wanted = [query for query in every if query.exact]
    if wanted:
        bench.progress.step("count base")
    before = count(bench, base, wanted, {})
    proofs = {
        query.id: proof
        for query in every
        if (proof := proof_of(bench, base, head, before.get(query.id), counted=query in wanted))
    }
    rest = [each for each in wanted if each.id not in proofs and _worth_head(bench, each, before)]
    if rest:
        bench.progress.step("count head")
    after = count(bench, head, rest, before)
    first, second = recounting.settle(
        bench, rest, Side(build=base, outcomes=before), Side(build=head, outcomes=after)
    )
    # What is proven equal is known for head too: the next comparison has it as its base.
    _keep(
        bench,
        [
            (on_head(before[query.id], head), queries.varied(query, head.variant))
            for query in wanted
            if query.id in proofs
        ],
    )
    return tuple(
        comparison(
            query,
            first.outcomes.get(query.id),
            second.outcomes.get(query.id),
            proofs.get(query.id),
        )
        for query in every
    )


def count(
    bench: Bench,
    build: Build,
    wanted: Sequence[Query],
    other: Mapping[str, Outcome],
    points: Mapping[str, tuple[int, ...]] | None = None,
) -> dict[str, Outcome]:
    """Return what counting each query on `build` gave, by its id; known counts first.

    Args:
        bench: where.
        build: the side.
        wanted: the queries.
        other: the other side's outcomes. A query that was counted there is counted at the
            same points here.
        points: the n of each point of some queries, by id; of all others they are chosen.
    """
    points = {**(points or {}), **points_of_all(other)}
    wanted = [queries.varied(query, build.variant) for query in wanted]
    found = {}
    for query in wanted:
        if known := _known(bench, build, query, points.get(query.id)):
            found[query.id] = Outcome(measurement=known)
    unknown = [query for query in wanted if query.id not in found]
    stored = found.copy()
    found |= _taken(bench, build, unknown, other, points)
    found = beside.add(bench, build, wanted, found)
    new = [query for query in wanted if found[query.id] is not stored.get(query.id)]
    _keep(bench, [(found[query.id], query) for query in new])
    return found


def _taken(
    bench: Bench,
    build: Build,
    unknown: Sequence[Query],
    other: Mapping[str, Outcome],
    points: Mapping[str, tuple[int, ...]],
) -> dict[str, Outcome]:
    """Return what counting the instructions of each query gave now."""
    if not unknown:
        return {}
    setups, failed = asking.set_up(bench, build, unknown)
    requests = [
        _as_there(asking.request(bench, build, query, points.get(query.id)), other.get(query.id))
        for query in unknown
        if query.id not in failed
    ]
    counted = counting.count_all(requests, jobs=bench.job.jobs, progress=bench.progress)
    return {
        query.id: Outcome(problem=failed[query.id])
        if query.id in failed
        else with_setup(counted[query.id], setups.get(query.suite))
        for query in unknown
    }


def _keep(bench: Bench, found: Iterable[tuple[Outcome, Query]]) -> None:
    counted = [(each.measurement, query.digest) for each, query in found if each.measurement]
    if counted:
        bench.store.keep(*counted)


def points_of(outcome: Outcome) -> tuple[int, ...] | None:
    """Return the n of each of its points; None where nothing was counted."""
    if outcome.measurement is None:
        return None
    return tuple(point.n for point in outcome.measurement.counts[INSTRUCTIONS.name].points)


def points_of_all(outcomes: Mapping[str, Outcome]) -> dict[str, tuple[int, ...]]:
    """Return the n of each point of all that was counted, by id."""
    return {name: at for name, each in outcomes.items() if (at := points_of(each))}


def _known(
    bench: Bench, build: Build, query: Query, points: tuple[int, ...] | None
) -> Measurement | None:
    known = bench.store.known(build.key, query.digest, asking.fingerprint(bench, query), points)
    return known and msgspec.structs.replace(known, query=query.id)


def _as_there(request: Request, other: Outcome | None) -> Request:
    """Return `request` traced, and counted by what counted the other side."""
    there = other.measurement if other else None
    return replace(request, trace=True, counter=there.counter if there else None)


def with_setup(outcome: Outcome, setup: ReadSet | None) -> Outcome:
    """Return `outcome` with what its suite's setup read added: the query depends on that too."""
    measurement = outcome.measurement
    if measurement is None or measurement.reads is None or setup is None:
        return outcome
    reads = counting.united(measurement.reads, setup)
    return replace(outcome, measurement=msgspec.structs.replace(measurement, reads=reads))


def proof_of(
    bench: Bench, base: Build, head: Build, outcome: Outcome | None, *, counted: bool
) -> Identity | None:
    """Return why a query can't have changed. One that base can't run proves nothing."""
    if counted and (outcome is None or outcome.measurement is None):
        return None
    if not queries.alike(base.variant, head.variant):
        return None
    reads = outcome.measurement.reads if outcome and outcome.measurement else None
    return builds.identical(base, head, reads or _NOTHING_READ, bench.plan.config.recipe.artifacts)


def _worth_head(bench: Bench, query: Query, before: Mapping[str, Outcome]) -> bool:
    """Whether head's count can still tell something: base has one, or the query may be new."""
    return before[query.id].measurement is not None or query.id not in bench.plan.old


def on_head(outcome: Outcome, head: Build) -> Outcome:
    """Return base's outcome as head's, once nothing that the query reads differs."""
    assert outcome.measurement is not None
    return Outcome(measurement=msgspec.structs.replace(outcome.measurement, build=head.key))


def comparison(
    query: Query, before: Outcome | None, after: Outcome | None, proof: Identity | None
) -> Comparison:
    """Return what both sides, or a proof, say of one query."""
    kind, trouble = Kind.BOTH, None
    if before and not before.measurement and after and after.measurement:
        # Counted on head all the same: base's own files don't have it, so it may be new.
        kind = Kind.NEW
    elif before and before.problem:
        trouble = _on("base", before.problem)
    elif after and after.problem:
        trouble = _on("head", after.problem)
    return Comparison(
        query=query,
        kind=kind,
        base=before.measurement if before else None,
        head=after.measurement if after else None,
        identity=proof,
        problem=trouble,
        notes=tuple(note for side in (before, after) if side for note in side.notes),
    )


def _on(side: str, problem: Problem) -> Problem:
    return msgspec.structs.replace(problem, problem=f"{problem.problem} on {side}")
