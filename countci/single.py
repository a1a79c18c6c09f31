"""One revision alone: counted, recorded as a baseline, or held against one."""

from __future__ import annotations

import time
from dataclasses import dataclass

import countci
from countci import counting, judging, ordering, planning
from countci.builds import Places
from countci.errors import UsageError
from countci.job import Job
from countci.measuring import bench, counted, tested
from countci.model import (
    INSTRUCTIONS,
    Baseline,
    Comparison,
    Fingerprint,
    Measurement,
    Query,
    Report,
    Revision,
    Side,
    Tally,
)
from countci.pipeline import Outcome, side
from countci.planning import Plan
from countci.progress import Progress
from countci.storing import (
    BASELINES,
    baseline_name,
    find_baseline,
    record_baseline,
    require_baseline,
)
from countci.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The counts of one revision, and what was planned for them."""

    tally: Tally
    plan: Plan

    @property
    def places(self) -> Places:
        """Where something may be left over, for `bench.tidy`."""
        return self.plan.places


def count(job: Job, progress: Progress, *, recorded: bool = False) -> Counted:
    """Return the counts of the head of `job`; its base takes no part.

    Args:
        job: what is counted.
        progress: is told what happens meanwhile.
        recorded: at the points that were recorded on this platform, where there are some.

    Raises:
        UsageError, MeasureError: as `pipeline.compare` raises them.
    """
    progress.step("plan")
    plan = planning.plan(job)
    if plan.variants.head:
        raise UsageError(
            "a variant is one side of a comparison",
            where=plan.head.name,
            detail="countci compare HEAD+NAME HEAD+OTHER; or leave it out",
        )
    with bench.opened(job, plan, progress) as here:
        progress.step(f"build {plan.head.sha[:10]}")
        build = here.cache.build(ordering.orders(job, plan).head)
        progress.step("count")
        commands = [query for query in _exact(plan) if not query.collects]
        points = _recorded_points(plan, here.fingerprint) if recorded else {}
        plan, tests = tested.alone(here, build, points)
        outcomes = {**counted.count(here, build, commands, {}, points), **tests}
        here.cache.prune(plan.config.cache_size, {build.key})
        tally = Tally(
            countci=countci.__version__,
            side=side(build),
            fingerprint=here.fingerprint,
            suites=plan.suites.digest,
            measurements=tuple(each.measurement for each in outcomes.values() if each.measurement),
            problems={name: each.problem for name, each in outcomes.items() if each.problem},
        )
    return Counted(tally=tally, plan=plan)


def record(found: Counted) -> bytes:
    """Return the content of the baseline file that holds what was counted.

    Raises:
        MeasureError: nothing was counted.
    """
    by_id = _by_id(found.tally)
    pairs = [(query, by_id[query.id]) for query in _exact(found.plan) if query.id in by_id]
    return record_baseline(found.tally.side.revision, found.tally.fingerprint, pairs)


def check(job: Job, progress: Progress, *, command: str = "") -> Outcome:
    """Return the report of holding the head of `job` against the recorded baseline.

    Its base is what was recorded: nothing of that is built.

    Raises:
        UsageError: there is no baseline of this platform, or as `pipeline.compare` raises it.
        MeasureError: as `pipeline.compare` raises it.
    """
    start = time.monotonic()
    found = count(job, progress, recorded=True)
    plan, tally, by_id = found.plan, found.tally, _by_id(found.tally)
    baseline = _required(plan, tally.fingerprint)
    comparisons = tuple(
        Comparison(query=query, head=by_id.get(query.id), problem=tally.problems.get(query.id))
        for query in _exact(plan)
    )
    verdicts = judging.check(baseline, comparisons, tally.fingerprint)
    known = {query.id for query in plan.every}
    gone = () if job.patterns else judging.gone(baseline, known)
    verdicts = (*verdicts, *gone)
    report = Report(
        countci=countci.__version__,
        base=_recorded(baseline),
        head=tally.side,
        status=judging.worst(verdict.status for verdict in verdicts),
        verdicts=verdicts,
        comparisons=comparisons,
        fingerprint=tally.fingerprint,
        suites=plan.suites.digest,
        avx512=counting.avx512(counting.cpuinfo()),
        seconds=Seconds(time.monotonic() - start),
        command=command,
    )
    return Outcome(report=report, top=plan.repository.top, places=plan.places)


def _recorded_points(plan: Plan, fingerprint: Fingerprint) -> dict[str, tuple[int, ...]]:
    """Return the n at which each query was recorded: at other n it reads another last digit."""
    baseline = find_baseline(plan.baselines, fingerprint)
    if baseline is None:
        return {}
    return {
        name: query.metrics[INSTRUCTIONS.name].asks
        for name, query in baseline.queries.items()
        if INSTRUCTIONS.name in query.metrics
    }


def _required(plan: Plan, fingerprint: Fingerprint) -> Baseline:
    name = baseline_name(fingerprint)
    top = plan.repository.top
    if name not in plan.baselines and top is not None and (top / BASELINES / name).is_file():
        raise UsageError(
            f"it is not in {plan.head.name} yet, whose own baseline is asked for",
            where=f"{BASELINES}/{name}",
            detail=f"git add {BASELINES} && git commit",
        )
    return require_baseline(plan.baselines, fingerprint)


def _exact(plan: Plan) -> tuple[Query, ...]:
    return tuple(query for query in plan.suites.queries if query.exact)


def _by_id(tally: Tally) -> dict[str, Measurement]:
    return {measurement.query: measurement for measurement in tally.measurements}


def _recorded(baseline: Baseline) -> Side:
    revision = Revision(
        name="baseline", sha=baseline.sha, tree="", subject=baseline.subject, when=0
    )
    return Side(revision=revision, build="", build_seconds=Seconds(0), build_cached=True)
