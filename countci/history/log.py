"""Every commit of a range, counted once: a history, and the steps in it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import countci
from countci import ordering, planning, revisions
from countci.builds import Places
from countci.errors import MeasureError
from countci.history.lines import Before, Line, every
from countci.history.moves import step_of
from countci.history.readings import change, entries
from countci.history.survey import Asked, Measured, Survey
from countci.job import Job
from countci.measuring import bench
from countci.model import Commit, History, Step
from countci.progress import Progress
from countci.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Which commits are meant, and which moves are worth a name."""

    text: str
    """`A..B`; empty for the last commits of HEAD."""
    asked: Asked
    every: int = 1
    """Each so many-th commit, back from the end."""
    all_parents: bool = False
    """Those of merged branches too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A history, and where something may be left over, for `bench.tidy`."""

    history: History
    places: Places


def log(job: Job, wanted: Range, progress: Progress, *, command: str = "") -> Logged:
    """Return the history of a range, by the query files of its end.

    What can't be built or counted is a gap. Everything counted is in the store at once, so an
    interrupted run goes on where it was.

    Args:
        job: whose queries, where; its base and head are the end of the range.
        wanted: the range.
        progress: is told what happens meanwhile.
        command: what to type to repeat it.

    Raises:
        UsageError: the range, the configuration or a query file says something impossible.
        MeasureError: no commit of it could be measured.
    """
    start = time.monotonic()
    progress.step("plan")
    repository = revisions.open_repository(job.where, job.env)
    text = wanted.text or "HEAD"
    end = revisions.ends(repository, text)[1].sha
    plan = planning.plan(replace(job, base=end, head=end))
    found = revisions.commits(plan.repository, text, every_parent=wanted.all_parents)
    if not wanted.text:
        found = found[-1 - _LAST :]
    chosen = every(found, wanted.every)
    with bench.opened(job, plan, progress) as here:
        survey = Survey(here, chosen, ordering.of_any(job, plan))
        walk = _Walk(survey, found, wanted.asked)
        walk.run(chosen)
        fingerprint = here.fingerprint
    _refuse_nothing(walk, wanted)
    queries = tuple(survey.queries)
    history = History(
        countci=countci.__version__,
        range=wanted.text or _last(len(found)),
        metric=wanted.asked.metric,
        limit=wanted.asked.limit,
        queries=queries,
        entries=entries(walk.measured, walk.numbers, walk.before, queries),
        left_out=len(found) - len(chosen),
        steps=tuple(walk.steps),
        fingerprint=fingerprint,
        suites=plan.suites.digest,
        notices=plan.notices,
        seconds=Seconds(time.monotonic() - start),
        command=command,
        options=job.options,
    )
    return Logged(history=history, places=plan.places)


_LAST = 20
"""Commits of a range that nobody named, beside the one that it begins from."""


class _Walk:
    """From the oldest commit to the newest."""

    def __init__(self, survey: Survey, found: Sequence[Commit], asked: Asked) -> None:
        self._survey = survey
        self._asked = asked
        self._line = Line(found)
        self._by_sha: dict[str, Measured] = {}
        self._having: dict[str, set[str]] = {}
        self.numbers: dict[tuple[str, str], Fraction] = {}
        """By sha and query."""
        self.before: dict[tuple[str, str], Before] = {}
        """By sha and query."""
        self.steps: list[Step] = []

    @property
    def measured(self) -> list[Measured]:
        return list(self._by_sha.values())

    def run(self, chosen: Sequence[Commit]) -> None:
        # The end says how each query is counted: older commits may not have all of them.
        self._survey.measure(chosen[-1])
        for place, commit in enumerate(chosen, start=1):
            measured = self._survey.measure(commit, f", {place} of {len(chosen)}")
            self._by_sha[commit.sha] = measured
            for query in measured.outcomes:
                number = measured.number(query, self._asked.metric)
                if number is not None:
                    self.numbers[commit.sha, query] = number
                    self._take(commit, query)

    def _take(self, commit: Commit, query: str) -> None:
        """Hold a number against the one before it."""
        having = self._having.setdefault(query, set())
        earlier = self._line.before(commit, having)
        having.add(commit.sha)
        if earlier is None:
            return
        self.before[commit.sha, query] = earlier
        others = (each for each in commit.parents[1:] if each in having)
        if all(self._differ(each, commit.sha, query) for each in (earlier.sha, *others)):
            self._step(commit, query, earlier)

    def _step(self, commit: Commit, query: str, earlier: Before) -> None:
        before, after = self._by_sha[earlier.sha], self._by_sha[commit.sha]
        found = self._survey.settled(query, before, after, self._asked)
        if step := step_of(query, (before, after), found, (*earlier.between, commit)):
            self.steps.append(step)

    def _differ(self, one: str, other: str, query: str) -> bool:
        moved = change(self.numbers[one, query], self.numbers[other, query])
        return abs(moved) > self._asked.limit


def _last(count: int) -> str:
    """Return the words for a range that nobody named; one commit more than asked for precedes."""
    return f"the last {_LAST} commits and the one before" if count > _LAST else "all commits"


def _refuse_nothing(walk: _Walk, wanted: Range) -> None:
    """Raise a MeasureError when there is not a single number: that is no history."""
    if walk.numbers:
        return
    last = walk.measured[-1]
    problems = [last.problem, *(each.problem for each in last.outcomes.values())]
    why = next((each for each in problems if each), None)
    raise MeasureError(
        f"no commit could be measured; the last one: {why.problem if why else 'nothing'}",
        where=wanted.text,
        detail=why.detail if why else "",
    )
