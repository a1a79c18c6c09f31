"""Pytest suites: each test is a query, known once its suite is collected on a build.

Base first; head at base's segments, in one process a side. What a suite reads counts as read by
each of its tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

import countci.measuring.counted as counted
import countci.measuring.one_suite as one_suite
import countci.measuring.recounting as recounting
from countci import queries
from countci.counting import Outcome
from countci.measuring.bench import Bench
from countci.measuring.recounting import Side
from countci.model import (
    Build,
    Comparison,
    Identity,
    Kind,
    Problem,
    Query,
    Reason,
    Suites,
)
from countci.planning import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What became of suites."""

    comparisons: tuple[Comparison, ...]
    """One a test; one for a suite without any."""
    notices: tuple[Reason, ...]


def compare(bench: Bench, base: Build, head: Build) -> Collected:
    """Return a comparison of each test that either side has.

    Raises:
        UsageError: a pattern of `--query` matches nothing.
    """
    found, notices = [], []
    for query in bench.plan.suites.queries:
        if query.collects:
            one = _Compared.of(bench, query, base, head)
            found += one.comparisons()
            notices += one.notices()
    _check_patterns(bench, [each.query for each in found])
    return Collected(comparisons=tuple(found), notices=tuple(notices))


def alone(
    bench: Bench, build: Build, points: Mapping[str, tuple[int, ...]]
) -> tuple[Plan, dict[str, Outcome]]:
    """Return the plan with tests in the place of their suites, and what became of each.

    Skipped tests are in neither. A suite without any other stays, as a problem.

    Args:
        bench: where.
        build: the side.
        points: the n of each point of some tests, by id; of all others they are chosen.
    """
    every: list[Query] = []
    outcomes: dict[str, Outcome] = {}
    for suite in (query for query in bench.plan.suites.queries if query.collects):
        found = one_suite.count(bench, build, suite, {}, points)
        problem = found.pop(suite.id).problem
        found = {name: each for name, each in found.items() if not each.skipped}
        if problem or not found:
            found[suite.id] = Outcome(problem=problem or _none(suite))
        every += (suite if name == suite.id else one_suite.test_of(suite, name) for name in found)
        outcomes |= found
    _check_patterns(bench, every)
    plan, others = bench.plan, _others(bench)
    suites = with_fields(plan.suites, queries=(*others, *every))
    return replace(plan, suites=suites, every=(*plan.every, *every)), outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """One suite on both sides."""

    suite: Query
    base: Mapping[str, Outcome]
    head: Mapping[str, Outcome]
    proof: Identity | None
    old: bool
    """Base's own query files have the suite."""

    @classmethod
    def of(cls, bench: Bench, suite: Query, base: Build, head: Build) -> _Compared:
        bench.progress.step(f"count base: {suite.id}")
        before: Mapping[str, Outcome] = one_suite.count(bench, base, suite, {})
        old = suite.id in bench.plan.old
        proof = counted.proof_of(bench, base, head, before[suite.id], counted=True)
        after: Mapping[str, Outcome] = {}
        if proof:
            same = {name: _as_head(each, head) for name, each in before.items()}
            one_suite.keep(bench, queries.varied(suite, head.variant), same)
        elif before[suite.id].measurement or not old:
            bench.progress.step(f"count head: {suite.id}")
            after = one_suite.count(bench, head, suite, before)
            both = [each for each in one_suite.tests(suite, before) if each.id in after]
            first, second = recounting.settle(
                bench, both, Side(build=base, outcomes=before), Side(build=head, outcomes=after)
            )
            before, after = first.outcomes, second.outcomes
        return cls(suite=suite, base=before, head=after, proof=proof, old=old)

    def comparisons(self) -> list[Comparison]:
        """Return one for each test, or one that says why there is none."""
        every = one_suite.tests(self.suite, {**self.head, **self.base})
        found = [one for each in every if (one := self._comparison(each))]
        broken = self._problem(self.head) or (self.old and self._problem(self.base))
        if found and not broken:
            return found
        whole = counted.comparison(
            self.suite, self.base.get(self.suite.id), self.head.get(self.suite.id), None
        )
        if whole.problem is None:
            whole = with_fields(whole, problem=_none(self.suite))
        return [with_fields(whole, base=None, head=None, kind=Kind.BOTH), *found]

    def notices(self) -> list[Reason]:
        """Return what was skipped on both sides, or on the only one that has it."""
        texts = [
            f"{name} is skipped: {outcome.skipped}"
            for name, outcome in {**self.base, **self.head}.items()
            if outcome.skipped and not self._counted(name)
        ]
        notes = [each.notes for side in (self.base, self.head) if (each := side.get(self.suite.id))]
        return [
            *(Reason(code="skipped", text=text) for text in texts),
            *dict.fromkeys(note for some in notes for note in some),
        ]

    def _problem(self, side: Mapping[str, Outcome]) -> Problem | None:
        return side[self.suite.id].problem if self.suite.id in side else None

    def _counted(self, name: str) -> bool:
        sides = (side[name] for side in (self.base, self.head) if name in side)
        return any(each.measurement or each.problem for each in sides)

    def _file_of(self, test: Query) -> Outcome | None:
        """Return what became of a test's file on head, if that can't be collected."""
        return self.head.get(test.id.partition("::")[0])

    def _comparison(self, test: Query) -> Comparison | None:
        """Return None for a test that was skipped wherever it is."""
        before, after = self.base.get(test.id), self.head.get(test.id)
        if not self._counted(test.id):
            return None
        if self.proof or self._problem(self.head):
            return counted.comparison(test, before, after, self.proof if _is(before) else None)
        after = after or self._file_of(test)
        if after is None and before and before.problem and _is_file(test):
            return counted.comparison(test, before, None, None)
        if after is None:
            there = before.measurement if before else None
            return Comparison(query=test, kind=Kind.GONE, base=there)
        return self._both(test, before, after)

    def _both(self, test: Query, before: Outcome | None, after: Outcome) -> Comparison:
        """Return what became of a test that head has."""
        if _is(after) and (before is None or before.skipped or (before.problem and not self.old)):
            return Comparison(query=test, kind=Kind.NEW, head=after.measurement, notes=after.notes)
        if after.skipped:
            after = Outcome(problem=Problem(problem=f"skipped: {after.skipped}", where=test.id))
        found = counted.comparison(test, before, after, None)
        if before and before.problem and found.kind is Kind.NEW:  # base knows it, and it failed
            problem = with_fields(before.problem, problem=f"{before.problem.problem} on base")
            return with_fields(found, kind=Kind.BOTH, problem=problem)
        return found


def _is_file(test: Query) -> bool:
    return "::" not in test.id


def _is(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.measurement is not None


def _as_head(outcome: Outcome, head: Build) -> Outcome:
    return counted.on_head(outcome, head) if outcome.measurement else outcome


def _none(suite: Query) -> Problem:
    return Problem(problem="none of its tests was counted", where=f"{suite.file}: {suite.name}")


def _others(bench: Bench) -> list[Query]:
    return [query for query in bench.plan.suites.queries if not query.collects]


def _check_patterns(bench: Bench, found: Sequence[Query]) -> None:
    """Raise a UsageError for a pattern that matches nothing, unless a suite's problem hides it."""
    if not any(query.collects for query in found):
        every = Suites(queries=(*_others(bench), *found), digest="")
        queries.select(every, bench.job.patterns)
