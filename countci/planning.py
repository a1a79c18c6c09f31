"""What is compared: two revisions, a configuration, the queries. Nothing is built or run yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from countci import config, queries, revisions, variants
from countci.builds.places import Places, locate, prepare
from countci.config import Config
from countci.errors import UsageError
from countci.job import Job
from countci.model import (
    INSTRUCTIONS,
    TIME,
    Acceptance,
    Limit,
    Loosened,
    Query,
    Reason,
    Revision,
    Shard,
    Suites,
)
from countci.revisions import Repository
from countci.storing import BASELINES
from countci.variants import NO_VARIANTS, Chosen, Named


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that is decided before the first build."""

    repository: Repository
    places: Places
    config: Config
    base: Revision
    head: Revision
    suites: Suites
    """What both sides run; only the selected queries, with their final limits and metrics."""
    gone: tuple[Query, ...]
    """Queries of base's files that head's don't have."""
    old: frozenset[str]
    """Ids of base's own queries: what of these base can't run is an error, not new."""
    every: tuple[Query, ...]
    """All queries of both sides' files, selected or not: names that a commit may accept."""
    acceptances: tuple[Acceptance, ...]
    """What the commits between base and head accept."""
    baselines: Mapping[str, bytes]
    """Head's recorded baselines, by file name."""
    notices: tuple[Reason, ...]
    query_files: Path | Revision
    """The folder on disk, or the revision, whose query files are run."""
    shard: Shard | None = None
    """Which part of the whole plan it is; made by `sharding.cut`."""
    variants: Chosen = NO_VARIANTS
    loosened: tuple[Loosened, ...] = ()
    """Limits that head's files make less strict than base's."""


def plan(job: Job) -> Plan:
    """Return what `job` comes to.

    Raises:
        UsageError: a name, the configuration or a query file says something impossible.
    """
    if job.worktree and job.head is not None:
        raise UsageError(
            "head is what is not committed, so none can be named",
            where=f"--worktree, and {job.head}",
            detail="leave one of the two out",
        )
    repository = revisions.open_repository(job.where, job.env)
    named = None if job.worktree else variants.resolve(repository, job.head or "HEAD")
    head = None if named is None else named.revision
    settings = _settings(job, repository, head)
    places = prepare(locate(_cache(job, settings), repository.common), repository.top)
    if head is None:
        head = revisions.snapshot(repository, places.sources)
    repository = repository.with_objects(places.sources)
    if job.make is not None:
        head = job.make(repository, places.sources)
        settings = _settings(job, repository, head)
    named_base = _base(job, repository, head)
    base = named_base.revision
    source, files = _query_files(job, settings, repository, base if _from_base(job) else head)
    before = _before(job, settings, repository, base)
    limits = settings.limits if before.limits is None else before.limits
    suites = queries.load(files, folder=settings.queries, limits=limits)
    selected = _selected(job, suites)
    chosen = variants.choose(named_base, named, settings, selected)
    return Plan(
        repository=repository,
        places=places,
        config=settings,
        base=base,
        head=head,
        suites=msgspec.structs.replace(suites, queries=selected),
        gone=_gone(job, before.suites, suites),
        old=frozenset(query.id for query in before.suites.queries),
        every=(*suites.queries, *before.suites.queries),
        acceptances=revisions.trailers(repository, base, head),
        baselines=_files_of(repository, head, BASELINES),
        notices=(
            *job.notices,
            *before.notices,
            *queries.changed(before.suites, suites),
            *revisions.misplaced(repository, base, head),
            *chosen.notices,
        ),
        query_files=source,
        variants=chosen,
        loosened=_loosened(job, before.suites, suites),
    )


def _from_base(job: Job) -> bool:
    return job.queries_from == "base"


def _settings(job: Job, repository: Repository, head: Revision | None) -> Config:
    if job.config is not None:
        return config.parse_file(job.config.read_bytes(), file=str(job.config))
    if head is not None:
        return config.load(
            lambda path: revisions.read_file(repository, head, path), where=job.head or "HEAD"
        )
    top = repository.top
    if top is None:
        raise UsageError("a bare repository has no uncommitted work", where="--worktree")
    return config.load(lambda path: _read(top / path), where="the worktree")


def _cache(job: Job, settings: Config) -> Path:
    if job.cache_dir or settings.cache_dir:
        return (job.cache_dir or settings.cache_dir or Path()).absolute()
    home = Path(job.env.get("HOME", "/"))
    return Path(job.env.get("XDG_CACHE_HOME") or home / ".cache") / "countci"


def _base(job: Job, repository: Repository, head: Revision) -> Named:
    if job.base is not None or job.worktree:
        return variants.resolve(repository, job.base or "HEAD")
    return Named(revision=revisions.default_base(repository, head))


def _query_files(
    job: Job, settings: Config, repository: Repository, revision: Revision
) -> tuple[Path | Revision, dict[str, bytes]]:
    if job.config is not None:
        folder = job.config.resolve().parent / settings.queries
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        return folder, {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return revision, _files_of(repository, revision, settings.queries)


def _files_of(repository: Repository, revision: Revision, folder: str) -> dict[str, bytes]:
    files = {}
    for path in revisions.list_files(repository, revision, folder):
        content = revisions.read_file(repository, revision, path)
        assert content is not None
        files[path.removeprefix(f"{folder}/")] = content
    return files


@dataclass(frozen=True, slots=True)
class _Before:
    """Base's own queries, with its own limits."""

    suites: Suites
    notices: tuple[Reason, ...] = ()
    limits: Mapping[str, Limit] | None = None
    """Those of its countci.toml, where they hold for both sides: they go with the query files."""


def _before(job: Job, settings: Config, repository: Repository, base: Revision) -> _Before:
    """Return what base says of itself; nothing where it has no files of ours."""
    if job.config is not None:
        # The same files for both sides: nothing is new, nothing gone.
        _, files = _query_files(job, settings, repository, base)
        return _Before(queries.load(files, folder=settings.queries, limits=settings.limits))
    if not _has_configuration(repository, base):
        return _Before(Suites(queries=(), digest=""))
    try:
        own = _settings(job, repository, base)
        files = _files_of(repository, base, own.queries)
        suites = queries.load(files, folder=own.queries, limits=own.limits)
    except UsageError as error:
        text = f"base's own query files can't be read, so what is gone isn't known: {error}"
        return _Before(Suites(queries=(), digest=""), (Reason(code="base-unreadable", text=text),))
    limits = own.limits if _from_base(job) else None
    return _Before(suites, config.changed(own, settings), limits)


def _has_configuration(repository: Repository, revision: Revision) -> bool:
    return revisions.read_file(
        repository, revision, config.FILE
    ) is not None or b"tool.countci" in (
        revisions.read_file(repository, revision, config.PYPROJECT) or b""
    )


def _selected(job: Job, suites: Suites) -> tuple[Query, ...]:
    """Return the queries that were asked for, with the limits and metrics that were."""
    narrowed = [
        msgspec.structs.replace(
            query,
            metrics=tuple(name for name in query.metrics if _is_asked(job, query, name)),
            limits={**query.limits, **job.limits},
        )
        for query in queries.select(suites, job.patterns)
    ]
    kept = tuple(query for query in narrowed if query.metrics)
    if not kept:
        raise UsageError(
            f"no query measures {' or '.join(job.metrics)}",
            where=f"{suites.queries[0].file.rpartition('/')[0]}/",
            detail='add it to a query: metrics = ["instructions", "time"]',
        )
    return kept


def _is_asked(job: Job, query: Query, name: str) -> bool:
    """Whether a metric is measured: other counts wherever instructions are, samples with time."""
    usual = INSTRUCTIONS if query.metric(name).exact else TIME
    return name in job.metrics or usual.name in job.metrics


def _gone(job: Job, before: Suites, suites: Suites) -> tuple[Query, ...]:
    gone = queries.gone(before, suites)
    if not gone or not job.patterns:
        return gone
    try:
        return queries.select(Suites(queries=gone, digest=""), job.patterns)
    except UsageError:
        return ()


def _loosened(job: Job, before: Suites, suites: Suites) -> tuple[Loosened, ...]:
    """Return which limits are less strict, but for those that the command line gives."""
    found = queries.loosened(before, suites)
    return tuple(each for each in found if each.metric not in job.limits)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
