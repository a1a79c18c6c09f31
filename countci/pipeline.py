"""Compare two revisions: the whole story. Read this first.

names → revisions → builds → counts of both sides → timed pairs → verdicts → report; each
step takes the last one's result. What keeps one query from being measured is kept as its
problem, and the others go on; what keeps all of them from it is an error.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

import countci
from countci import counting, judged, judging, ordering, planning, process, sharding, unmeasured
from countci.builds import Places
from countci.errors import MeasureError
from countci.job import Job
from countci.measuring import bench, counted, late, simulated, tested, timed, worth
from countci.measuring.bench import Bench
from countci.model import (
    INSTRUCTIONS,
    Build,
    Comparison,
    Fingerprint,
    Kind,
    Report,
    Side,
    Verdict,
)
from countci.planning import Plan
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


class UnmeasuredError(MeasureError):
    """Nothing could be measured, a build failed for one; `outcome` reports that."""

    def __init__(self, error: MeasureError, outcome: Outcome) -> None:
        """Say what `error` says."""
        super().__init__(error.problem, where=error.where, detail=error.detail)
        self.outcome = outcome


def compare(job: Job, progress: Progress, *, command: str = "") -> Outcome:
    """Return the report of comparing the two revisions of `job`.

    Args:
        job: what was asked for.
        progress: is told what happens meanwhile.
        command: what to type to repeat it, for the report.

    Raises:
        UsageError: a name, the configuration or a query file says something impossible.
        MeasureError: a revision can't be read, or nothing can be measured here; `UnmeasuredError`
            once it is known which revisions.
    """
    start = time.monotonic()
    # First of all: planning, and waiting for another countci, take of the same time.
    with process.within(job.max_time) as deadline:
        progress.step("plan")
        plan = sharding.cut(job, planning.plan(job))
        try:
            with bench.opened(job, plan, progress) as here:
                report = _measure(here, deadline)
        except MeasureError as error:
            report = unmeasured.report(plan, error)
            raise UnmeasuredError(error, _outcome(plan, report, start, command)) from error
    return _outcome(plan, report, start, command)


def _measure(here: Bench, deadline: process.Deadline) -> Report:
    """Return what building, measuring and judging gave."""
    job, plan = here.job, here.plan
    wanted = ordering.orders(job, plan)
    here.progress.step(f"build base {plan.base.sha[:10]}")
    base = here.cache.build(wanted.base)
    here.progress.step(f"build head {plan.head.sha[:10]}")
    head = here.cache.build(wanted.head)
    measured = [
        timed.add_pairs(here, comparison, base, head)
        for comparison in counted.compare(here, base, head)
    ]
    suites = tested.compare(here, base, head)
    every = (*late.told((*measured, *suites.comparisons), deadline), *_gone(plan))
    fingerprint = _fingerprint(here)
    outcome = judged.judge(plan, every, fingerprint, narrowed=bool(job.patterns))
    if not deadline.over:
        every = simulated.add(here, every, outcome.verdicts, (base, head))
    told = late.explain(here, _worth(job, every, outcome.verdicts), (base, head), deadline)
    here.cache.prune(plan.config.cache_size, {base.key, head.key})
    return Report(
        countci=countci.__version__,
        base=side(base),
        head=side(head),
        status=judging.overall(outcome.verdicts),
        verdicts=outcome.verdicts,
        comparisons=every,
        explanations=told.explanations,
        fingerprint=fingerprint,
        suites=plan.suites.digest,
        notices=(
            *plan.notices,
            *wanted.reasons,
            *suites.notices,
            *outcome.notices,
            *told.notices,
        ),
        avx512=counting.avx512(counting.cpuinfo()),
        unsettled_passes=plan.config.unsettled == "pass",
        shard=plan.shard,
    )


def _outcome(plan: Plan, report: Report, start: float, command: str) -> Outcome:
    seconds = Seconds(time.monotonic() - start)
    report = msgspec.structs.replace(report, seconds=seconds, command=command)
    return Outcome(report=report, top=plan.repository.top, places=plan.places)


def _gone(plan: Plan) -> tuple[Comparison, ...]:
    return tuple(Comparison(query=query, kind=Kind.GONE) for query in plan.gone)


def _worth(
    job: Job, every: Sequence[Comparison], verdicts: Sequence[Verdict]
) -> tuple[Comparison, ...]:
    """Return which comparisons are explained."""
    if job.explain:
        return worth.moved(every)
    return worth.failing(verdicts, every) if job.explain_failures else ()


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
