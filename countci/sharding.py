"""A plan cut for several machines: each query is on exactly one of them.

The machines don't talk. So a cut depends only on what all of them see, which is the two commits;
never on a store, which each machine has its own of. What a query costs is taken from the
baselines that head's tree has recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from msgspec.structs import replace as with_fields

from countci.errors import UsageError
from countci.job import Job
from countci.model import INSTRUCTIONS, METRICS, Query, Reason, Recorded, Shard
from countci.planning import Plan
from countci.storing import read_baseline

# Rough, and the same everywhere: they only decide which machine takes what.
_INSTRUCTIONS_A_SECOND = 50e6
"""Under valgrind."""
_TIMING_SECONDS = 10.0
"""Pairs until a verdict is sure."""
_LEAST_SECONDS = 2.0
"""Valgrind's own start-ups, on both sides."""


def cut(job: Job, plan: Plan) -> Plan:
    """Return the part of `plan` that is this machine's; all of it where `job` has no shard.

    What is gone, and what commits accept of queries that nobody has, is the first shard's.

    Raises:
        UsageError: there are more shards than queries, or only some queries were asked for.
    """
    if job.shard is None:
        return plan
    number, count = job.shard
    _refuse(job, plan, count)
    every = plan.suites.queries
    shares = assign(seconds(every, plan.baselines), count)
    owners = {every[index].id: owner for owner, share in enumerate(shares, 1) for index in share}
    mine = tuple(query for query in every if owners[query.id] == number)
    gone = plan.gone if number == 1 else ()
    units = (*_in_order(every), *plan.gone)
    text = f"shard {number} of {count}: {len(mine)} of {len(every)} queries"
    return replace(
        plan,
        suites=with_fields(plan.suites, queries=mine),
        gone=gone,
        acceptances=tuple(
            each for each in plan.acceptances if _owner(each.query, owners) == number
        ),
        loosened=tuple(each for each in plan.loosened if _owner(each.query, owners) == number),
        notices=(*plan.notices, Reason(code=SHARD, text=text)),
        shard=Shard(
            number=number,
            count=count,
            queries=tuple(query.id for query in (*_in_order(mine), *gone)),
            every=tuple(query.id for query in units),
            asked=_asked(job),
        ),
    )


SHARD = "shard"
"""Code of the notice that a report is only a part."""


def assign(costs: Sequence[float], count: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each of `count` shards, the indices of what it takes, in rising order.

    The dearest first, each to the shard that has least so far: at most a third more than the
    best cut. Equal costs give an equal cut, whatever machine asks.

    Source:
        Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
    """
    taken: list[list[int]] = [[] for _ in range(count)]
    sums = [0.0] * count
    for index in sorted(range(len(costs)), key=lambda index: (-costs[index], index)):
        lightest = sums.index(min(sums))
        sums[lightest] += costs[index]
        taken[lightest].append(index)
    return tuple(tuple(sorted(each)) for each in taken)


def seconds(queries: Sequence[Query], baselines: Mapping[str, bytes]) -> list[float]:
    """Return about how long each query takes; as long as the others where it isn't recorded."""
    recorded = _recorded(baselines)
    counts = [_instructions(query, recorded) for query in queries]
    usual = median([each for each in counts if each is not None] or [0.0])
    return [
        _LEAST_SECONDS
        + 2 * (usual if count is None else count) / _INSTRUCTIONS_A_SECOND
        + (_TIMING_SECONDS if _is_sampled(query) else 0.0)
        for query, count in zip(queries, counts, strict=True)
    ]


def _is_sampled(query: Query) -> bool:
    return any(not query.metric(name).exact for name in query.metrics)


def _recorded(baselines: Mapping[str, bytes]) -> dict[str, Recorded]:
    """Return what is recorded of each query, on the first platform that has it."""
    found: dict[str, Recorded] = {}
    for name in sorted(baselines):
        try:
            queries = read_baseline(baselines[name], name=name).queries
        except UsageError:
            continue  # whoever compares with it says so
        for query, each in queries.items():
            if INSTRUCTIONS.name in each.metrics:
                found.setdefault(query, each.metrics[INSTRUCTIONS.name])
    return found


def _instructions(query: Query, recorded: Mapping[str, Recorded]) -> float | None:
    """Return what counting one side takes; of a suite, all of its tests."""
    ids = [query.id]
    if query.collects:
        ids = [each for each in recorded if each.startswith(f"{query.id}/")]
    found = [recorded[each] for each in ids if each in recorded]
    totals = [
        sum(max(0.0, (each.start_up or 0.0) + asks * each.per_ask) for asks in each.asks)
        for each in found
    ]
    return sum(totals) if totals else None


def _in_order(queries: Sequence[Query]) -> list[Query]:
    """Return queries in the order of a report, where suites of tests are last."""
    return sorted(queries, key=lambda query: query.collects)


def _owner(query: str, owners: Mapping[str, int]) -> int:
    if query in owners:
        return owners[query]
    # A test's name is known only once its suite is collected.
    suites = [suite for suite in owners if query.startswith(f"{suite}/")]
    return owners[max(suites, key=len)] if suites else 1


def _asked(job: Job) -> str:
    limits = ", ".join(
        f"{name} {job.limits[name].text(METRICS[name])}" for name in sorted(job.limits)
    )
    return f"{' and '.join(job.metrics)}, queries of {job.queries_from}, limits: {limits or 'none'}"


def _refuse(job: Job, plan: Plan, count: int) -> None:
    where = f"--shard {job.shard[0]}/{count}" if job.shard else ""
    if job.patterns:
        raise UsageError(
            "shards are of all queries", where=where, detail="leave --query out, or --shard"
        )
    if count > len(plan.suites.queries):
        raise UsageError(
            f"there are only {len(plan.suites.queries)} queries to share out (a pytest suite is "
            "one)",
            where=where,
            detail="a shard without a query would measure nothing: ask for fewer",
        )
