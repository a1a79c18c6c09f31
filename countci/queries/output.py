"""The kind `output`: a command that prints the numbers which are compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from countci import readers
from countci.model import METRICS, Limit, Metric, OutputWork, Query
from countci.queries.command import check, read_env, read_stdin
from countci.queries.placeholders import NAMES
from countci.queries.tables import Entry, Own, QueryTable, Written
from countci.readers import READERS
from countci.reading.limits import parse_limit
from countci.reading.spelling import listed
from countci.reading.toml import Scalar, decode, one_of

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_EXAMPLE = (
    'reader = "dbench"\nor metric.throughput = '
    '{ match = \'Throughput ([0-9.]+) MB/sec\', unit = "MB/s", better = "higher" }'
)


class OutputTable(QueryTable, frozen=True, kw_only=True):
    """`[query.NAME]` of this kind."""

    command: str
    stdin: str | None = None
    env: dict[str, Any] = msgspec.field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    reader: str = ""
    metric: dict[str, Any] = msgspec.field(default_factory=dict)
    source: str = msgspec.field(default="stdout", name="from")


class MetricTable(Written, frozen=True, kw_only=True):
    """`metric.NAME`."""

    match: str | None = None
    json: str | None = None
    unit: str = ""
    better: str = "lower"
    limit: Scalar | None = None


def read(table: OutputTable, entry: Entry) -> OutputWork:
    """Return the work that `table` describes.

    Raises:
        UsageError: it could never be run, or its output never read.
    """
    check(table.command, NAMES, entry.where("command"))
    one_of(entry.document, table.source, ("stdout", "stderr"), "query", entry.name, "from")
    source: Literal["stdout", "stderr"] = "stdout" if table.source == "stdout" else "stderr"
    written = {name: _metric(name, entry) for name in table.metric}
    return OutputWork(
        command=table.command,
        stdin=read_stdin(table.stdin, entry),
        env=read_env(table.env, entry),
        reader=table.reader,
        patterns={name: each.match for name, each in written.items() if each.match is not None},
        paths={name: each.json for name, each in written.items() if each.json is not None},
        source=source,
    )


def own(table: OutputTable, entry: Entry) -> Own:
    """Return the metrics that the query's own output tells.

    Raises:
        UsageError: it tells nothing, or nothing of that name.
    """
    if not table.reader and not table.metric:
        raise entry.wrong("nothing says what its output tells", detail=_EXAMPLE)
    metrics: dict[str, Metric] = {}
    usual: list[str] = []
    if table.reader:
        one_of(entry.document, table.reader, READERS, "query", entry.name, "reader")
        usual += READERS[table.reader].usual if not table.metrics else ()
        metrics |= _of_reader(table.reader, (*table.metrics, *usual), entry, tuple(table.metric))
    limits: dict[str, Limit] = {}
    for name in table.metric:
        each = _metric(name, entry)
        metrics[name] = Metric(name=name, unit=each.unit, exact=False, better=each.better)
        if each.limit is not None:
            where = entry.where("metric", name, "limit")
            limits[name] = parse_limit(each.limit, where=where)
    return Own(metrics=metrics, limits=limits, usual=(*usual, *table.metric))


def values(query: Query, text: str) -> dict[str, float]:
    """Return what the output `text` of one run tells of each of the query's own metrics.

    Raises:
        MeasureError: a number is missing, or can't be trusted.
    """
    work = query.work
    assert isinstance(work, OutputWork)
    found: dict[str, float] = {}
    named = [name for name in query.own if name not in work.patterns and name not in work.paths]
    if named:
        found |= readers.chosen(READERS[work.reader], text, named)
    for name in query.own:
        if name in work.patterns:
            found[name] = readers.by_pattern(work.patterns[name], text, name)
        elif name in work.paths:
            found[name] = readers.by_path(work.paths[name], text, name)
    return found


def _of_reader(
    name: str, wanted: Sequence[str], entry: Entry, written: Sequence[str]
) -> dict[str, Metric]:
    """Return the metrics of `wanted` that the reader tells; others are countci's own, or wrong."""
    reader = READERS[name]
    found = {each: metric for each in wanted if (metric := reader.metric(each)) is not None}
    for each in wanted:
        if each not in found and each not in METRICS and each not in written:
            part = ", of one part of its output as PART.NAME" if reader.parts else ""
            raise entry.wrong(
                f"{name} tells nothing called {each}",
                "metrics",
                detail=f"there are {listed(reader.metrics)}{part}",
            )
    return found


def _metric(name: str, entry: Entry) -> MetricTable:
    """Return one `metric.NAME`, as it is written."""
    path = ("query", entry.name, "metric", name)
    if name in METRICS:
        raise entry.wrong(f"{name} is what countci measures itself: call it otherwise", *path[2:])
    if not _NAME.fullmatch(name):
        raise entry.wrong(f"{name!r} is no name for a metric", *path[2:])
    table = decode(entry.document, MetricTable, *path)
    one_of(entry.document, table.better, ("higher", "lower"), *path, "better")
    if (table.match is None) is (table.json is None):
        raise entry.wrong("say where its number stands: `match` or `json`", *path[2:])
    if table.match is not None and (wrong := readers.check_pattern(table.match)):
        raise entry.wrong(wrong, *path[2:], "match")
    if table.json is not None and not table.json:
        raise entry.wrong('a path, as "results.0.mean"', *path[2:], "json")
    return table
