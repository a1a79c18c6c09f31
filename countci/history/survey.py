"""Commits measured one by one, none of them twice: by the store, by proof, or by counting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from msgspec.structs import replace as with_fields

import countci.history.known as known
from countci import judging
from countci.builds import Order
from countci.counting import Outcome
from countci.errors import MeasureError, UsageError
from countci.measuring import asking, beside, counted, one_suite, recounting
from countci.measuring.bench import Bench
from countci.measuring.recounting import Side
from countci.model import (
    Build,
    Change,
    Commit,
    Comparison,
    Limit,
    Measurement,
    Problem,
    Query,
    Revision,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What became of one commit."""

    commit: Commit
    build: str
    """Key of the build."""
    outcomes: Mapping[str, Outcome]
    """By query; empty when it could not be built."""
    problem: Problem | None = None
    """Why it could not be built."""

    def number(self, query: str, metric: str) -> Fraction | None:
        """Return the exact count per ask of a query; None for a gap."""
        outcome = self.outcomes.get(query)
        counts = outcome.measurement.counts.get(metric) if outcome and outcome.measurement else None
        # An ask that costs nothing has nothing to be held against.
        return counts.per_ask if counts and counts.per_ask > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which moves are meant."""

    metric: str
    limit: float
    """A move up to this is none; a fraction."""


class Survey:
    """Measures commits of a range on a bench, each once, by one way of building and counting."""

    def __init__(
        self, bench: Bench, commits: Sequence[Commit], order: Callable[[Revision], Order]
    ) -> None:
        """Look up at once what is known of `commits`, which are to be built by `order`."""
        self._bench = bench
        self._orders = {each.sha: order(each.revision) for each in commits}
        every = bench.plan.suites.queries
        self._plain = [_only(query, bench.job.metrics) for query in every if not query.collects]
        self._suites = [query for query in every if query.collects]
        keys = [self._orders[each.sha].key for each in commits]
        fingerprints = {query.id: asking.fingerprint(bench, query) for query in self._plain}
        self._known = known.read(bench.store, keys, self._plain, fingerprints)
        self._ways = {
            query.id: Outcome(measurement=found)
            for query in self._plain
            if (found := self._known.pattern(keys, query))
        }
        self._by_key: dict[str, Measured] = {}
        self._last: Measured | None = None
        self.queries = {query.id: query for query in self._plain}
        """By id; tests of suites come with the first build that has them."""

    def measure(self, commit: Commit, place: str = "") -> Measured:
        """Return what became of `commit`: what can't be built or counted is a gap.

        Args:
            commit: one of the range.
            place: where that is in the range, for whoever watches.
        """
        order = self._orders[commit.sha]
        if order.key in self._by_key:
            return replace(self._by_key[order.key], commit=commit)
        outcomes = self._stored(order)
        if len(outcomes) < len(self._plain) or self._suites:
            found = self._taken(commit, place, outcomes)
        else:
            found = Measured(commit=commit, build=order.key, outcomes=outcomes)
        self._remember(found)
        return found

    def settle(self, query: str, before: Measured, after: Measured, asked: Asked) -> Change:
        """Return how a query moved between two commits, counted again until its noise is known.

        Raises:
            UsageError, MeasureError: one of them can't be built or counted any more.
        """
        sides = [self._latest(each) for each in (before, after)]
        narrowed = self._narrowed(query, asked)
        base, head = (_measurement(side, query) for side in sides)
        if judging.wanted_counts(narrowed, base, head):
            sides = self._again(narrowed, sides)
        return self.judge(query, sides[0], sides[1], asked)

    def settled(self, query: str, before: Measured, after: Measured, asked: Asked) -> Change:
        """Return what `settle` does; where a build can't be had again, its count as it stands."""
        try:
            return self.settle(query, before, after, asked)
        except (UsageError, MeasureError):
            return self.judge(query, before, after, asked)

    def judge(self, query: str, before: Measured, after: Measured, asked: Asked) -> Change:
        """Return how a query moved between two commits, by what is known of them."""
        return judging.judge(self.compared(query, before, after, asked)).changes[0]

    def compared(self, query: str, before: Measured, after: Measured, asked: Asked) -> Comparison:
        """Return both sides of a query."""
        return Comparison(
            query=self._narrowed(query, asked),
            base=_measurement(before, query),
            head=_measurement(after, query),
        )

    def built(self, measured: Measured) -> Build:
        """Return the build of a commit, made again if it made room since.

        Raises:
            UsageError, MeasureError: it can't be built any more.
        """
        return self._bench.cache.build(self._orders[measured.commit.sha])

    def _narrowed(self, query: str, asked: Asked) -> Query:
        """Return a query with the limit of a step as its only one."""
        limits = {asked.metric: Limit(share=asked.limit)}
        return with_fields(self.queries[query], metrics=(asked.metric,), limits=limits)

    def _stored(self, order: Order) -> dict[str, Outcome]:
        found = {}
        for query in self._plain:
            way = self._ways.get(query.id)
            points = counted.points_of(way) if way else None
            if points and (count := self._known.count(order.key, query, points)):
                known = Outcome(measurement=count)
                if beside.counted(query, known):
                    found[query.id] = known
        return found

    def _taken(self, commit: Commit, place: str, stored: Mapping[str, Outcome]) -> Measured:
        """Return what is known with all that was missing counted now."""
        order, name = self._orders[commit.sha], f"{commit.sha[:10]}{place}"
        try:
            self._bench.progress.step(f"build {name}")
            build = self._bench.cache.build(order)
        except (UsageError, MeasureError) as error:
            return Measured(commit=commit, build=order.key, outcomes={}, problem=Problem.of(error))
        outcomes = {**stored, **self._proven(build, stored)}
        rest = [query for query in self._plain if query.id not in outcomes]
        if rest or self._suites:
            self._bench.progress.step(f"count {name}")
        outcomes |= counted.count(self._bench, build, rest, self._ways)
        for suite in self._suites:
            outcomes |= self._tests(build, suite)
        # The first one measured is an end, which is held against its neighbour last of all.
        ends = [each.build for each in (self._last, *[*self._by_key.values()][:1]) if each]
        self._bench.make_room({build.key, *ends})
        return Measured(commit=commit, build=order.key, outcomes=outcomes)

    def _proven(self, build: Build, stored: Mapping[str, Outcome]) -> dict[str, Outcome]:
        """Return the outcomes of the commit before where nothing that the query reads differs."""
        if self._last is None or self._last.problem:
            return {}
        before = self._bench.cache.known(self._orders[self._last.commit.sha])
        if before is None:
            return {}
        found: dict[str, Outcome] = {}
        for query in self._plain:
            outcome = self._last.outcomes.get(query.id)
            if query.id in stored or outcome is None:
                continue
            if counted.proof_of(self._bench, before, build, outcome, counted=True):
                found[query.id] = counted.on_head(outcome, build)
        self._bench.store.keep(
            *(
                (each.measurement, self.queries[name].digest)
                for name, each in found.items()
                if each.measurement
            )
        )
        return found

    def _tests(self, build: Build, suite: Query) -> dict[str, Outcome]:
        """Return what became of each test of a suite; of itself only when it has a problem."""
        found = one_suite.count(self._bench, build, suite, self._ways)
        self.queries |= {test.id: test for test in one_suite.tests(suite, found)}
        whole = found.pop(suite.id)
        if whole.problem:
            self.queries[suite.id] = suite
            found[suite.id] = whole
        return {name: each for name, each in found.items() if not each.skipped}

    def _again(self, query: Query, sides: Sequence[Measured]) -> list[Measured]:
        builds = [self.built(each) for each in sides]
        settled = recounting.settle(
            self._bench,
            [query],
            Side(build=builds[0], outcomes=sides[0].outcomes),
            Side(build=builds[1], outcomes=sides[1].outcomes),
        )
        found = [
            replace(each, outcomes=side.outcomes) for each, side in zip(sides, settled, strict=True)
        ]
        for each in found:
            self._by_key[each.build] = each
        return found

    def _latest(self, measured: Measured) -> Measured:
        """Return `measured` with what was counted again since."""
        return replace(self._by_key[measured.build], commit=measured.commit)

    def _remember(self, found: Measured) -> None:
        self._by_key[found.build] = found
        if found.problem:
            return
        self._last = found
        for name, outcome in found.outcomes.items():
            if outcome.measurement:
                self._ways.setdefault(name, outcome)


def _only(query: Query, metrics: Sequence[str]) -> Query:
    """Return `query` without what is not looked at: counting that would take time."""
    return with_fields(query, metrics=tuple(name for name in query.metrics if name in metrics))


def _measurement(measured: Measured, query: str) -> Measurement:
    """Return what was counted; raise the problem of what failed when it was counted again."""
    outcome = measured.outcomes[query]
    if outcome.problem or outcome.measurement is None:
        problem = outcome.problem or Problem(problem="was not counted", where=query)
        raise MeasureError(problem.problem, where=problem.where, detail=problem.detail)
    return outcome.measurement
