"""What both sides share while they are built and measured: one stage, one store, one lock."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from countci import builds, counting, placement, process, queries, revisions
from countci.builds import Cache, Places, Stage
from countci.errors import MeasureError
from countci.job import Job
from countci.model import Build, Fingerprint, Query, ReadSet
from countci.placement import Topology
from countci.planning import Plan
from countci.progress import Progress
from countci.queries import Place
from countci.serving import Ports, ports
from countci.storing import Store
from countci.units import Seconds

_UNWATCHED = ReadSet(paths=(), unknown="what its setup reads was not watched")


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The stage of a plan, and everything that is done there. Made by `opened`."""

    job: Job
    plan: Plan
    stage: Stage
    cache: Cache
    store: Store
    progress: Progress
    ports: Ports
    _set_up: dict[tuple[str, str], ReadSet | None] = field(default_factory=dict)
    """What the `setup` of build and suite read, for those whose setup has run."""

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What counts of this run depend on beside build and query."""
        return counting.fingerprint(self.plan.places.stage, self.job.env)

    @cached_property
    def topology(self) -> Topology:
        """Cores and hardware threads that timed runs may be placed on."""
        return placement.here()

    @cached_property
    def place(self) -> Place:
        """What a query's processes see, on either side."""
        places = self.plan.places
        return Place(
            tree=places.stage,
            work=places.work,
            queries=places.queries,
            env=counting.environment(self.job.env, home=places.home),
        )

    @cached_property
    def steady(self) -> Path | None:
        """The library that holds the clock and random numbers; None without a compiler.

        Raises:
            MeasureError: it can't be compiled.
        """
        return counting.preload("steady", self.plan.places.libraries, self.place.env)

    @cached_property
    def flat(self) -> Path | None:
        """The allocator that Python functions are counted with; None without a compiler.

        Raises:
            MeasureError: it can't be compiled.
        """
        return counting.preload("flat", self.plan.places.libraries, self.place.env)

    def bring(self, build: Build, query: Query, *, watched: bool = False) -> ReadSet | None:
        """Put `build` on the stage, and set up the query's suite unless that is done.

        Args:
            build: the side.
            query: one of the suite.
            watched: see what the setup reads, which takes 2 to 16 times as long.

        Returns:
            What the setup read of the stage, whenever it ran; unknown where nobody watched.
            None where the suite has no setup.

        Raises:
            MeasureError: the setup failed.
        """
        self.stage.bring(build.key)
        done = build.key, query.suite
        if done in self._set_up:
            return self._set_up[done]
        work = self.plan.places.work / query.suite
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        reads = None
        if command := queries.setup_command(query, self.place):
            self.progress.step(f"set up {query.suite}")
            reads = self._run_setup(command, watched=watched)
            process.end_strays()
        self._set_up[done] = reads
        return reads

    def make_room(self, keep: Collection[str]) -> None:
        """Delete the builds that the cache has no room for, at once: many may follow.

        Args:
            keep: keys in use.
        """
        gone = self.cache.prune(self.plan.config.cache_size, keep)
        if gone:
            for each in [each for each in self._set_up if each[0] in gone]:
                del self._set_up[each]
            builds.empty_trash(self.plan.places)

    def _run_setup(self, command: process.Command, *, watched: bool) -> ReadSet:
        places = self.plan.places
        if watched:
            return counting.run_watched(command, stage=places.stage, folder=places.runs / "setup")
        process.run(command)
        return _UNWATCHED


@contextlib.contextmanager
def opened(job: Job, plan: Plan, progress: Progress) -> Iterator[Bench]:
    """Hold the repository's places while a plan is carried out; leave them in order.

    Raises:
        UsageError: the places can't be used.
        MeasureError: another countci holds them, to the end of our time.
    """
    places = plan.places
    waits = process.time_left()
    with builds.hold(places, lambda who: progress.step(f"wait for {who}"), longest=waits):
        builds.recover(places)
        stage = Stage(places)
        try:
            _lay_out_queries(plan)
            with ports() as claimed:
                yield Bench(
                    job=job,
                    plan=plan,
                    stage=stage,
                    cache=Cache(places, stage),
                    store=Store(places.store),
                    progress=progress,
                    ports=claimed,
                )
        except BaseException:
            _leave(stage)
            builds.empty_trash(places)
            raise
        _leave(stage)


def tidy(places: Places) -> None:
    """Delete what a run left over: after its report, since a large tree takes minutes.

    Another countci that holds the places by now does so at its own end.
    """
    try:
        with builds.hold(places, lambda _who: None, longest=Seconds(0.0)):
            builds.empty_trash(places)
    except MeasureError:
        return


def _leave(stage: Stage) -> None:
    process.end_all()
    stage.clear()
    builds.recover(stage.places)


def _lay_out_queries(plan: Plan) -> None:
    folder = plan.places.queries
    shutil.rmtree(folder, ignore_errors=True)
    if isinstance(plan.query_files, Path):
        shutil.copytree(plan.query_files, folder, symlinks=True)
    else:
        revisions.export(plan.repository, plan.query_files, plan.config.queries, folder)
