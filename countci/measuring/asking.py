"""How a query is put to the build on the stage: its command, and what is to be counted of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from pathlib import Path

from countci import counting, queries
from countci.counting import Count, More, Request, Segmented, Suite
from countci.errors import CountciError, MeasureError
from countci.measuring.bench import Bench
from countci.model import (
    Build,
    CommandWork,
    OutputWork,
    Problem,
    PytestWork,
    PythonWork,
    Query,
    ReadSet,
    ServerWork,
)
from countci.process import Command
from countci.queries import Place


def asks(bench: Bench, query: Query, seed: int = 0) -> Callable[[int], Command]:
    """Return the command that asks `query` so often.

    Args:
        bench: where.
        query: the query.
        seed: of hashes, and of what the query fixes; the same one on both sides.

    Raises:
        MeasureError: what it fixes can't be fixed here.
    """
    if isinstance(query.work, ServerWork):
        from countci.measuring.served import Served

        return partial(Served(bench, query).counted, seed)
    env = {"PYTHONHASHSEED": str(seed)} if seed else {}
    if query.work.fixed:
        env |= {
            "LD_PRELOAD": str(_steady(bench, query)),
            "COUNTCI_FIXED": ",".join(query.work.fixed),
            "COUNTCI_SEED": str(seed + 1),
        }
    return partial(queries.command, query, bench.place.with_env(env))


def fingerprint(bench: Bench, query: Query) -> str:
    """Return the digest of what a count of `query` depends on beside its build.

    What is counted inside Python depends on the allocator too: its library's name tells its
    content.
    """
    if isinstance(query.work, CommandWork | OutputWork | ServerWork):
        return bench.fingerprint.digest
    allocator = bench.flat.name if bench.flat else "pymalloc"
    return f"{bench.fingerprint.digest} {allocator}"


def request(
    bench: Bench, build: Build, query: Query, points: tuple[int, ...] | None, seed: int = 0
) -> Request:
    """Return what is to be counted of `query`; nothing is traced.

    Args:
        bench: where.
        build: the side.
        query: the query.
        points: the n of each point; None chooses them.
        seed: as `asks` says it.

    Raises:
        MeasureError: as `asks` raises it.
    """
    if isinstance(query.work, PytestWork):
        return _suite(bench, build, query, points, seed)
    folder = _folder(bench, query.id, seed)
    if isinstance(query.work, PythonWork):
        return Segmented(
            query=name(query, seed),
            build=build.key,
            fingerprint=fingerprint(bench, query),
            runner=partial(queries.runner, query, _python_place(bench, seed)),
            flat=bench.flat is not None,
            stage=bench.place.tree,
            folder=folder,
            points=points,
        )
    if isinstance(query.work, ServerWork):
        from countci.loads import POINTS

        points = points or POINTS
    return Count(
        query=name(query, seed),
        build=build.key,
        fingerprint=fingerprint(bench, query),
        asks=asks(bench, query, seed),
        repeats=query.work.repeats,
        stage=bench.place.tree,
        folder=folder,
        points=points,
        forks=partial(counting.preload, "forks", bench.plan.places.libraries, bench.place.env),
    )


def more(bench: Bench, query: Query, tool: str, points: tuple[int, ...]) -> More:
    """Return what is to be counted of `query` beside its instructions."""
    folder = _folder(bench, query.id, 0)
    return More(
        query=query.id,
        tool=tool,
        asks=asks(bench, query),
        points=points,
        folder=folder.with_name(folder.name + tool),
    )


def name(query: Query, seed: int) -> str:
    """Return under which name `counting.count_all` gives the outcome of a request."""
    return f"{query.id}{_label(seed)}"


def suite_name(query: Query, seed: int) -> str:
    """Return that name for the suite of a test."""
    return f"{queries.suite_id(query)}{_label(seed)}"


def _label(seed: int) -> str:
    return f" at seed {seed}" if seed else ""


def _folder(bench: Bench, query: str, seed: int) -> Path:
    """Return where it is counted: of one length for all, since the program sees it."""
    number = [each.id for each in bench.plan.suites.queries].index(query)
    return bench.plan.places.runs / f"{seed}{number:05}"


def _suite(
    bench: Bench, build: Build, query: Query, points: tuple[int, ...] | None, seed: int
) -> Suite:
    """Return a pytest suite, or one test of it."""
    work, whole = query.work, queries.suite_id(query)
    assert isinstance(work, PytestWork)
    return Suite(
        query=whole,
        label=_label(seed),
        build=build.key,
        fingerprint=fingerprint(bench, query),
        runner=partial(queries.suite, query, _python_place(bench, seed)),
        flat=bench.flat is not None,
        stage=bench.place.tree,
        folder=_folder(bench, whole, seed),
        jobs=bench.job.jobs,
        timeout=query.timeout,
        patterns=(query.id,) if work.test else patterns(bench, query),
        points={work.test: points} if points else {},
    )


def patterns(bench: Bench, suite: Query) -> tuple[str, ...]:
    """Return what selects some tests of a suite; nothing when all of them are asked for."""
    asked = bench.job.patterns
    return () if any(queries.matches(suite, each) for each in asked) else asked


def _python_place(bench: Bench, seed: int) -> Place:
    """Return where a Python function is counted: with an allocator whose cost is the same anywhere.

    Python's own moves other functions' counts by up to 3 % when an unrelated one is edited.
    """
    env = {"PYTHONHASHSEED": str(seed)}
    if bench.flat is not None:
        env |= {"PYTHONMALLOC": "malloc", "LD_PRELOAD": str(bench.flat)}
    return bench.place.with_env(env)


def set_up(
    bench: Bench, build: Build, wanted: Iterable[Query]
) -> tuple[dict[str, ReadSet], dict[str, Problem]]:
    """Put `build` on the stage, with the suites of `wanted` set up.

    Returns:
        What the setup of each suite read, if it ran now; why it failed, by query.
    """
    read, failed = {}, {}
    for suite, members in groupby(wanted, key=lambda query: query.suite):
        those = list(members)
        try:
            if reads := bench.bring(build, those[0], watched=True):
                read[suite] = reads
            for query in those:
                request(bench, build, query, None)
        except CountciError as error:
            failed.update({query.id: Problem.of(error) for query in those})
    return read, failed


def _steady(bench: Bench, query: Query) -> Path:
    library = bench.steady
    if library is None:
        raise MeasureError(
            "there is no C compiler, with which `fixed` is made",
            where=f"{query.file}: {query.name}",
            detail="apt-get install gcc libc6-dev",
        )
    return library
