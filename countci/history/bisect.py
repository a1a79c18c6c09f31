"""The commits between two that moved a query, found by counting as few as halving takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import countci
from countci import ordering, planning, revisions
from countci.builds import Places
from countci.errors import CountciError, MeasureError, UsageError
from countci.history.halving import Questions, Stretch
from countci.history.halving import steps as halve
from countci.history.moves import step_of
from countci.history.readings import change, entry
from countci.history.survey import Asked, Measured, Survey
from countci.job import Job
from countci.measuring import bench
from countci.measuring.bench import Bench
from countci.model import (
    Bisection,
    Build,
    Change,
    Commit,
    Comparison,
    Entry,
    Explanation,
    Query,
    Reading,
    Reason,
    Step,
)
from countci.planning import Plan
from countci.progress import Progress
from countci.units import Seconds

Explain: TypeAlias = Callable[[Bench, Sequence[Comparison], Build, Build], tuple[Explanation, ...]]
"""Says where a difference comes from, while the places are held: `explained.add`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is looked for."""

    good: str
    """A name."""
    bad: str
    """A name."""
    query: str
    """Id, or a pattern that means one query."""
    asked: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisected:
    """What was found, and where something may be left over, for `bench.tidy`."""

    bisection: Bisection
    places: Places


def bisect(
    job: Job,
    wanted: Search,
    progress: Progress,
    *,
    explain: Explain | None = None,
    command: str = "",
) -> Bisected:
    """Return each commit between two that moved a query, by the query files of the bad one.

    Args:
        job: where; its base and head are the bad commit, its pattern is the query.
        wanted: what is looked for.
        progress: is told what happens meanwhile.
        explain: asked for each step that one commit made.
        command: what to type to repeat it.

    Raises:
        UsageError: good is no ancestor of bad, or not one query is meant.
        MeasureError: an end can't be measured, or the query differs from itself too much.
    """
    start = time.monotonic()
    progress.step("plan")
    plan = planning.plan(replace(job, base=wanted.bad, head=wanted.bad, patterns=(wanted.query,)))
    good = revisions.resolve(plan.repository, wanted.good)
    commits = revisions.line(plan.repository, good, plan.head)
    with bench.opened(job, plan, progress) as here:
        survey = Survey(here, commits, ordering.of_any(job, plan))
        hunt = _Hunt(survey, commits, _one_query(plan, wanted), wanted.asked)
        whole = hunt.ends()
        steps = hunt.steps()
        explanations = hunt.explanations(here, steps, explain) if explain else ()
        fingerprint = here.fingerprint
    assert whole.base is not None
    assert whole.head is not None
    found = Bisection(
        countci=countci.__version__,
        query=hunt.query,
        metric=wanted.asked.metric,
        limit=wanted.asked.limit,
        good=commits[0],
        bad=commits[-1],
        base=whole.base,
        head=whole.head,
        delta=whole.delta or 0.0,
        commits=len(commits) - 1,
        entries=hunt.entries(),
        steps=steps,
        rest=(whole.head - whole.base - sum(each.head - each.base for each in steps)) / whole.base,
        explanations=explanations,
        fingerprint=fingerprint,
        suites=plan.suites.digest,
        seconds=Seconds(time.monotonic() - start),
        command=command,
        options=job.options,
    )
    return Bisected(bisection=found, places=plan.places)


def _unexplained(step: Step, error: CountciError) -> Explanation:
    note = Reason(code="not-explained", text=f"it could not be explained: {error}")
    return Explanation(query=step.query, base=step.base, head=step.head, notes=(note,))


class _Hunt:
    """One query on a line of commits."""

    def __init__(self, survey: Survey, commits: Sequence[Commit], query: str, asked: Asked) -> None:
        self._survey = survey
        self._commits = commits
        self.query = query
        self._asked = asked
        self._seen: dict[int, Measured] = {}

    def ends(self) -> Change:
        """Return how the query moved between the ends, which must have numbers that repeat."""
        # The bad end first: the query files are its own, so it says how the query is counted.
        bad, good = (self._end(place) for place in (len(self._commits) - 1, 0))
        whole = self._survey.settle(self.query, good, bad, self._asked)
        unstable = [reason for reason in whole.reasons if reason.code == "unstable"]
        if unstable:
            raise MeasureError(
                f"bisect goes by single counts, and this one is {unstable[0].text}",
                where=self.query,
                detail="or a limit above its noise: --limit 1%",
            )
        return whole

    def steps(self) -> tuple[Step, ...]:
        """Return every step between the ends, oldest first."""
        ask = Questions(look=self._number, differ=self._differ)
        stretches = halve(0, len(self._commits) - 1, ask)
        return tuple(step for each in stretches if (step := self._step(each)))

    def entries(self) -> tuple[Entry, ...]:
        """Return what became of each commit that was looked at."""
        return tuple(entry(each, self._readings(each)) for _, each in sorted(self._seen.items()))

    def explanations(
        self, here: Bench, steps: Sequence[Step], explain: Explain
    ) -> tuple[Explanation, ...]:
        """Return where each step of one commit comes from, as far as it can be had."""
        by_sha = {each.commit.sha: each for each in self._seen.values()}
        found: list[Explanation] = []
        for step in (each for each in steps if each.sure):
            sides = by_sha[step.before.sha], by_sha[step.commit.sha]
            compared = self._survey.compared(self.query, *sides, self._asked)
            # The step stands by its counts, whatever becomes of its explanation.
            try:
                found += explain(here, [compared], *map(self._survey.built, sides))
            except (UsageError, MeasureError) as error:
                found.append(_unexplained(step, error))
        return tuple(found)

    def _measure(self, place: int) -> Measured:
        if place not in self._seen:
            self._seen[place] = self._survey.measure(self._commits[place])
        return self._seen[place]

    def _number(self, place: int) -> Fraction | None:
        return self._measure(place).number(self.query, self._asked.metric)

    def _differ(self, before: Fraction, after: Fraction) -> bool:
        return abs(change(before, after)) > self._asked.limit

    def _step(self, stretch: Stretch) -> Step | None:
        sides = self._seen[stretch.low], self._seen[stretch.high]
        suspects = tuple(self._commits[stretch.low + 1 : stretch.high + 1])
        found = self._survey.settled(self.query, *sides, self._asked)
        return step_of(self.query, sides, found, suspects)

    def _end(self, place: int) -> Measured:
        measured = self._measure(place)
        if measured.number(self.query, self._asked.metric) is None:
            outcome = measured.outcomes.get(self.query)
            problem = measured.problem or (outcome.problem if outcome else None)
            raise MeasureError(
                f"an end can't be measured: {problem.problem if problem else 'no such query'}",
                where=measured.commit.revision.name,
                detail=(problem.detail if problem else "") or "name another commit",
            )
        return measured

    def _readings(self, measured: Measured) -> dict[str, Reading]:
        number = measured.number(self.query, self._asked.metric)
        outcome = measured.outcomes.get(self.query)
        if number is None:
            return {self.query: Reading(problem=outcome.problem)} if outcome else {}
        first = self._number(0)
        assert first is not None
        return {self.query: Reading(per_ask=float(number), since=change(first, number))}


def _one_query(plan: Plan, wanted: Search) -> str:
    found: tuple[Query, ...] = plan.suites.queries
    metric = wanted.asked.metric
    if len(found) == 1 and metric not in found[0].metrics:
        raise UsageError(
            f"{found[0].id} does not measure {metric}",
            where=found[0].file,
            detail=f'add it to the query of the bad commit: metrics = ["instructions", "{metric}"]',
        )
    if len(found) == 1 and not found[0].collects:
        return found[0].id
    if len(found) == 1:
        return wanted.query  # a test, known once its suite is collected
    raise UsageError(
        "bisect takes one query at a time",
        where=wanted.query,
        detail="\n".join(["name one of these:", *(each.id for each in found)]),
    )
