"""One query, counted in several ways: each takes away or adds one thing that may move it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from countci import counting, ordering, planning
from countci.counting import Count
from countci.doctor.causes import PAD, Tried, findings
from countci.doctor.finding import Finding
from countci.errors import MeasureError, UsageError
from countci.job import Job
from countci.measuring import asking, bench
from countci.measuring.bench import Bench
from countci.model import INSTRUCTIONS, Build, CommandWork, Counts, Measurement, Query
from countci.process import Command
from countci.progress import Progress

_STEP = 1.05
"""Seconds: clocks that programs seed with have steps of one."""
_FIXED = (("clock",), ("random",), ("clock", "random"))


def try_query(job: Job, progress: Progress) -> tuple[Finding, ...]:
    """Return what moves the count of the one query that `job` names, on its head.

    Raises:
        UsageError: as `planning.plan` raises it; or it isn't one query that runs a command.
        MeasureError: it can't be built or counted.
    """
    progress.step("plan")
    plan = planning.plan(job)
    query = _one(plan.suites.queries)
    with bench.opened(job, plan, progress) as here:
        progress.step(f"build {plan.head.sha[:10]}")
        build = here.cache.build(ordering.orders(job, plan).head)
        _, failed = asking.set_up(here, build, [query])
        if query.id in failed:
            trouble = failed[query.id]
            raise MeasureError(trouble.problem, where=trouble.where, detail=trouble.detail)
        return findings(_Trial(here, build, query).all())


def _one(queries: Sequence[Query]) -> Query:
    found = [query for query in queries if isinstance(query.work, CommandWork)]
    if len(found) != 1 or len(queries) != 1:
        names = ", ".join(query.id for query in queries)
        raise UsageError(
            "the doctor tries one query that runs a command", where="--query", detail=f"not {names}"
        )
    return found[0]


@dataclass(frozen=True)
class _Trial:
    """A query on the stage."""

    bench: Bench
    build: Build
    query: Query

    def all(self) -> Tried:
        """Count it in every way that may tell something."""
        plain = self._request(None)
        first = self._counts({"as it is": replace(plain, trace=True)})["as it is"]
        counts = _instructions(first)
        smallest, last = (counts.points[0].n,), tuple(point.n for point in counts.points[-2:])
        again = self._request(smallest)
        time.sleep(_STEP)
        more = self._counts(
            {
                "again": again,
                "another hash seed": self._request(smallest, seed=1),
                "elsewhere": _elsewhere(self._request(last)),
            }
        )
        totals = (counts.points[0].total, _total(more["again"]))
        return Tried(
            causes=first.causes,
            plain=totals,
            seed=_total(more["another hash seed"]),
            slope=counts.per_ask,
            elsewhere=_instructions(more["elsewhere"]).per_ask if len(last) > 1 else None,
            fixed=self._fixed(smallest) if len(set(totals)) > 1 else {},
        )

    def _fixed(self, points: tuple[int, ...]) -> dict[tuple[str, ...], tuple[int, ...]]:
        """Return two totals for everything that can be fixed."""
        if self.bench.steady is None:
            return {}
        ways = {
            " and ".join(names): replace(
                self._request(points), asks=asking.asks(self.bench, _with_fixed(self.query, names))
            )
            for names in _FIXED
        }
        earlier = self._counts(ways)
        time.sleep(_STEP)
        later = self._counts(ways)
        return {
            names: (_total(earlier[way]), _total(later[way]))
            for names, way in zip(_FIXED, ways, strict=True)
        }

    def _request(self, points: tuple[int, ...] | None, seed: int = 0) -> Count:
        made = asking.request(self.bench, self.build, self.query, points, seed)
        assert isinstance(made, Count)
        return made

    def _counts(self, ways: Mapping[str, Count]) -> dict[str, Measurement]:
        """Return what each way counts; each in a folder of its own, whose name is as long."""
        runs = self.bench.plan.places.runs
        requests = [
            replace(request, query=way, folder=runs / f"{number:06}")
            for number, (way, request) in enumerate(ways.items())
        ]
        self.bench.progress.step("count " + ", ".join(ways))
        outcomes = counting.count_all(
            requests, jobs=self.bench.job.jobs, progress=self.bench.progress
        )
        found = {}
        for way, outcome in outcomes.items():
            if outcome.measurement is None:
                assert outcome.problem is not None
                problem = outcome.problem
                raise MeasureError(problem.problem, where=problem.where, detail=problem.detail)
            found[way] = outcome.measurement
        return found


def _with_fixed(query: Query, names: Sequence[str]) -> Query:
    return msgspec.structs.replace(query, work=msgspec.structs.replace(query.work, fixed=names))


def _elsewhere(request: Count) -> Count:
    def asks(n: int) -> Command:
        command = request.asks(n)
        return replace(command, env={**command.env, "COUNTCI_PAD": "." * PAD})

    return replace(request, asks=asks)


def _instructions(measurement: Measurement) -> Counts:
    return measurement.counts[INSTRUCTIONS.name]


def _total(measurement: Measurement) -> int:
    return _instructions(measurement).points[0].total
