"""Compare two revisions: the whole story. Read this first.

names → revisions → builds → counts of both sides → timed pairs → verdicts → report; each
step takes the last one's result. What keeps one query from being measured is kept as its
problem, and the others go on; what keeps all of them from it is an error.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec

import countci
from countci import (
    bench,
    collected,
    counted,
    counting,
    explained,
    judged,
    judging,
    ordering,
    planning,
    process,
    sharding,
    simulated,
    timed,
)
from countci.bench import Bench
from countci.builds import Places
from countci.model import (
    INSTRUCTIONS,
    Build,
    Comparison,
    Fingerprint,
    Kind,
    Problem,
    Report,
    Side,
    Verdict,
)
from countci.planning import Job, Plan
from countci.progress import Progress
from countci.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a comparison leaves to whoever asked for it."""

    report: Report
    top: Path | None
    """Root of the user's checkout; None in a bare repository."""
    places: Places
    """Where something may be left over, for `bench.tidy` once the report is delivered."""


def compare(job: Job, progress: Progress, *, command: str = "") -> Outcome:
    """Return the report of comparing the two revisions of `job`.

    Args:
        job: what was asked for.
        progress: is told what happens meanwhile.
        command: what to type to repeat it, for the report.

    Raises:
        UsageError: a name, the configuration or a query file says something impossible.
        MeasureError: a revision can't be built, or nothing can be measured here.
    """
    start = time.monotonic()
    progress.step("plan")
    plan = sharding.cut(job, planning.plan(job))
    with bench.opened(job, plan, progress) as here, _in_time(job, start) as deadline:
        wanted = ordering.orders(job, plan)
        progress.step(f"build base {plan.base.sha[:10]}")
        base = here.cache.build(wanted.base)
        progress.step(f"build head {plan.head.sha[:10]}")
        head = here.cache.build(wanted.head)
        measured = [
            timed.add_pairs(here, comparison, base, head)
            for comparison in counted.compare(here, base, head)
        ]
        suites = collected.compare(here, base, head)
        every = _all((*measured, *suites.comparisons), plan, deadline)
        fingerprint = _fingerprint(here)
        outcome = judged.judge(plan, every, fingerprint, narrowed=bool(job.patterns))
        every = simulated.add(here, every, outcome.verdicts, (base, head))
        explanations = explained.add(here, _worth(job, every, outcome.verdicts), base, head)
        here.cache.prune(plan.config.cache_size, {base.key, head.key})
    report = Report(
        countci=countci.__version__,
        base=side(base),
        head=side(head),
        status=judging.overall(outcome.verdicts),
        verdicts=outcome.verdicts,
        comparisons=every,
        explanations=explanations,
        fingerprint=fingerprint,
        suites=plan.suites.digest,
        notices=(*plan.notices, *wanted.reasons, *suites.notices, *outcome.notices),
        avx512=counting.avx512(counting.cpuinfo()),
        unsettled_passes=plan.config.unsettled == "pass",
        seconds=Seconds(time.monotonic() - start),
        command=command,
        shard=plan.shard,
    )
    return Outcome(report=report, top=plan.repository.top, places=plan.places)


def _in_time(job: Job, start: float) -> AbstractContextManager[process.Deadline]:
    return process.within(job.max_time, spent=time.monotonic() - start)


def _all(
    measured: Sequence[Comparison], plan: Plan, deadline: process.Deadline
) -> tuple[Comparison, ...]:
    """Return what was measured, and what is gone."""
    if deadline.cut:
        measured = [_not_new(each, deadline) for each in measured]
    return (*measured, *(Comparison(query=query, kind=Kind.GONE) for query in plan.gone))


def _worth(
    job: Job, every: Sequence[Comparison], verdicts: Sequence[Verdict]
) -> tuple[Comparison, ...]:
    """Return which comparisons are explained."""
    return explained.moved(every) if job.explain else explained.failing(verdicts, every)


def _not_new(comparison: Comparison, deadline: process.Deadline) -> Comparison:
    """Return `comparison`, an error if it calls new what base may only have lacked the time for."""
    if comparison.kind is not Kind.NEW:
        return comparison
    problem = Problem.of(deadline.error(comparison.query.id))
    return msgspec.structs.replace(comparison, kind=Kind.BOTH, problem=problem)


def _fingerprint(bench: Bench) -> Fingerprint | None:
    return bench.fingerprint if INSTRUCTIONS.name in bench.job.metrics else None


def side(build: Build) -> Side:
    """Return what a report says of a build."""
    return Side(
        revision=build.revision,
        build=build.key,
        build_seconds=build.seconds,
        build_cached=build.cached,
        variant=build.variant.name if build.variant else "",
    )
