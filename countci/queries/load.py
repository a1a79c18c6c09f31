"""Query files to Suites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

import countci.queries.digests as digests
import countci.queries.sweeps as sweeps
from countci.errors import UsageError
from countci.model import (
    DEFAULT_LIMITS,
    INSTRUCTIONS,
    METRICS,
    PEAK_MEMORY,
    PLACEMENTS,
    CommandWork,
    Limit,
    Metric,
    OutputWork,
    PythonWork,
    Query,
    Suites,
    default_limit,
)
from countci.queries.command import check
from countci.queries.kinds import KINDS
from countci.queries.placed import check_placement
from countci.queries.placeholders import NAMES
from countci.queries.tables import Entry, QueryTable, SuiteTable
from countci.reading.limits import read_limits
from countci.reading.toml import decode, one_of, parse
from countci.units import parse_seconds

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_FORM = "letters, digits, _, - and . make a name"
_EXAMPLE = '[query.NAME]\ncommand = "program --repeat {n}"'


def load(files: Mapping[str, bytes], *, folder: str, limits: Mapping[str, Limit]) -> Suites:
    """Return all queries of the folder of query files.

    Args:
        files: everything below the folder, by path relative to it.
        folder: its path in the project, for messages.
        limits: for queries that have none of their own.

    Raises:
        UsageError: there is no query, or a file says something impossible; with `file:line`.
    """
    paths = sorted((path for path in files if path.endswith(".toml")), key=_suite)
    if not paths:
        raise UsageError(
            "no query files",
            where=f"{folder}/",
            detail=f"countci init writes a first one; or commit a NAME.toml there:\n{_EXAMPLE}",
        )
    _refuse_nested({_suite(path): f"{folder}/{path}" for path in paths})
    reading = _Reading(
        files=files,
        folder=folder,
        limits={**DEFAULT_LIMITS, **limits},
        data=digests.of_data(files),
    )
    queries = [query for path in paths for query in reading.suite(path)]
    return Suites(queries=tuple(queries), digest=digests.of_files(files))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """What is the same for all files of a folder."""

    files: Mapping[str, bytes]
    folder: str
    limits: Mapping[str, Limit]
    data: str
    """Digest of the files that aren't query files."""

    def suite(self, path: str) -> list[Query]:
        """Return the queries of one file, in its order."""
        document = parse(self.files[path], file=f"{self.folder}/{path}")
        for part in _suite(path).split("/"):
            if not _NAME.fullmatch(part):
                raise UsageError(
                    f"{part!r} is no name for a suite", where=document.file, detail=_FORM
                )
        table = decode(document, SuiteTable)
        if not table.query:
            raise UsageError("no query in it", where=document.file, detail=_EXAMPLE)
        if table.setup is not None:
            check(table.setup, NAMES[1:], document.where("setup"))
        entries = [
            Entry(
                document=point.document,
                name=name,
                file=path,
                files=self.files,
                sweep=point.values,
            )
            for name in table.query
            for point in sweeps.points(document, name)
        ]
        return [self.query(entry, table) for entry in entries]

    def query(self, entry: Entry, suite: SuiteTable) -> Query:
        """Return one query."""
        if not _NAME.fullmatch(entry.name):
            raise entry.wrong(f"{entry.name!r} is no name for a query", detail=_FORM)
        kind = KINDS[_kind(entry, entry.document.table["query"][entry.name])]
        table = decode(entry.document, kind.table, "query", entry.name)
        own = kind.own(table, entry)
        metrics = table.metrics or own.usual
        known = {**METRICS, **own.metrics}
        _check_metrics(table, metrics, known, entry)
        path = ("query", entry.name, "limit")
        written = read_limits(entry.document, table.limit, *path, beside=tuple(own.metrics))
        limits = {**self.limits, **own.limits, **written}
        _check_forms(entry, [known[name] for name in metrics], {**own.limits, **written})
        query = Query(
            suite=_suite(entry.file),
            name=f"{entry.name}{sweeps.label(entry.sweep)}",
            file=entry.document.file,
            work=kind.read(table, entry),
            setup=suite.setup,
            metrics=metrics,
            limits={name: limits.get(name, default_limit(known[name])) for name in metrics},
            own={name: own.metrics[name] for name in metrics if name in own.metrics},
            timeout=parse_seconds(table.timeout, where=entry.where("timeout")),
            output=_output(table, entry),
            sweep=dict(entry.sweep),
            placement=table.placement,
        )
        if query.placement:
            _check_placement(query, entry)
        _check_counts(query, entry)
        stdin = self.files[query.work.stdin] if query.work.stdin else None
        return replace(query, digest=digests.of_query(query, self.data, stdin))


def _suite(path: str) -> str:
    return path.removesuffix(".toml")


def _kind(entry: Entry, table: object) -> str:
    if not isinstance(table, dict):
        raise entry.wrong("expected a table", detail=_EXAMPLE)
    kind = table.get("kind", "command")
    if not isinstance(kind, str):
        raise entry.wrong("expected string", "kind")
    one_of(entry.document, kind, KINDS, "query", entry.name, "kind")
    return kind


def _output(table: QueryTable, entry: Entry) -> Literal["any", "same"]:
    one_of(entry.document, table.output, ("any", "same"), "query", entry.name, "output")
    if table.output == "any":
        return "any"
    if INSTRUCTIONS.name not in table.metrics:
        raise entry.wrong("the output is compared where instructions are counted", "output")
    return "same"


def _check_metrics(
    table: QueryTable, metrics: tuple[str, ...], known: Mapping[str, Metric], entry: Entry
) -> None:
    for metric in metrics:
        one_of(entry.document, metric, known, "query", entry.name, "metrics")
    if not metrics or len(set(metrics)) < len(metrics):
        raise entry.wrong("name each metric once, and at least one", "metrics")
    for metric in table.limit:
        if metric in known and metric not in metrics:
            raise entry.wrong("a limit for what isn't among its metrics", "limit", metric)


def _check_counts(query: Query, entry: Entry) -> None:
    """Raise a UsageError for what can be counted of a whole process only."""
    whose = (CommandWork, OutputWork, PythonWork)
    if PEAK_MEMORY.name in query.metrics and not isinstance(query.work, whose):
        raise entry.wrong("peak_memory is of a process that is timed", "metrics")
    for name in query.metrics:
        if query.metric(name).whole and not isinstance(query.work, CommandWork):
            raise entry.wrong(
                f"{name} can be counted of the kind command only",
                "metrics",
                detail="a function's calls are not told from those of the interpreter around it",
            )


def _check_placement(query: Query, entry: Entry) -> None:
    one_of(entry.document, query.placement, PLACEMENTS, "query", entry.name, "placement")
    check_placement(query, query.placement, where=entry.where("placement"))
    if all(query.metric(name).exact for name in query.metrics):
        detail = "a count is the same wherever it is taken"
        raise entry.wrong("nothing of it is timed", "placement", detail=detail)


def _check_forms(entry: Entry, metrics: list[Metric], limits: Mapping[str, Limit]) -> None:
    for metric in metrics:
        limit = limits.get(metric.name)
        if limit and limit.form == "amount" and not metric.unit.startswith("bytes"):
            raise entry.wrong(f"{metric.name} is no number of bytes", "limit", metric.name)


def _refuse_nested(suites: Mapping[str, str]) -> None:
    """Raise a UsageError for a suite inside another: so would their `{work}` folders be."""
    for suite, file in suites.items():
        parts = suite.split("/")
        for length in range(1, len(parts)):
            outer = "/".join(parts[:length])
            if outer in suites:
                raise UsageError(
                    f"{file} is a suite inside the suite {suites[outer]}",
                    where=file,
                    detail="rename one of the two",
                )
