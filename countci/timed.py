"""Timed pairs of every query that asks for them and may have changed."""

from __future__ import annotations

from functools import partial

import msgspec

from countci import asking, judging, timing
from countci.bench import Bench
from countci.errors import CountciError
from countci.model import TIME, Build, Comparison, Kind, Problem, Query, Samples
from countci.units import Seconds

_LONGEST = 5.0
"""Seconds that a run is made to last at most, even if its start-up is more than a tenth."""


def add_pairs(bench: Bench, comparison: Comparison, base: Build, head: Build) -> Comparison:
    """Return `comparison` with its timed pairs, or with the problem that kept them from it."""
    query = comparison.query
    wanted = "time" in query.metrics and comparison.kind is Kind.BOTH
    if not wanted or comparison.identity is not None or comparison.problem is not None:
        return comparison
    bench.progress.step(f"time {query.id}")
    try:
        samples = _collect(bench, query, base, head)
    except CountciError as error:
        return msgspec.structs.replace(comparison, problem=Problem.of(error))
    return msgspec.structs.replace(comparison, samples=samples)


def _collect(bench: Bench, query: Query, base: Build, head: Build) -> Samples:
    """Return pairs until the rule has enough; base and head swap for every run."""
    keys = {"base": base.key, "head": head.key}
    run = partial(timing.run, scratch=bench.plan.places.runs)
    asks = asking.asks(bench, query)
    for build in (head, base):
        bench.bring(build, query)
    n = timing.find(
        lambda n: Seconds(run(asks(n)).time),
        repeats=query.work.repeats,
        longest=Seconds(min(query.timeout / 2, _LONGEST)),
    )
    job = timing.Job(
        query=query.id,
        asks=asks,
        n=n,
        bring=lambda side: bench.stage.swap(keys[side]),
        seed=int(base.key[:8], 16) ^ int(head.key[:8], 16),
        progress=bench.progress,
        run=run,
    )
    limit = query.limits["time"]
    return timing.collect(job, lambda samples: judging.wanted(samples, limit, TIME))
