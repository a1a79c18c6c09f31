"""The kind `memory`: a process is started for each number of steps, touched, and read."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from countci.model import MEMORY_LIMITS, MEMORY_METRICS, MemoryWork, Query, Ready
from countci.process import Command
from countci.queries.command import argv, check, read_env, values
from countci.queries.place import Place
from countci.queries.placeholders import NAMES, fill
from countci.queries.server import read_ready
from countci.queries.tables import Entry, Own, QueryTable, Written
from countci.reading.spelling import listed
from countci.reading.toml import Scalar, decode
from countci.units import parse_seconds

_NAMES = (*NAMES[1:], "port", "at")
_HERE = ("127.0.0.1", "localhost", "::1")
_USUAL = ("private_dirty_slope", "threads")


class StepsTable(Written, frozen=True, kw_only=True):
    """`memory = { at = [1, 10, 100], touch = ["..."] }`."""

    at: tuple[int, ...]
    touch: str | tuple[str, ...] = ()


class MemoryTable(QueryTable, frozen=True, kw_only=True):
    """`[query.NAME]` of this kind."""

    start: str
    memory: dict[str, Any]
    ready: dict[str, Any] = msgspec.field(default_factory=dict)
    env: dict[str, Any] = msgspec.field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    stop_within: Scalar = "10s"


def read(table: MemoryTable, entry: Entry) -> MemoryWork:
    """Return the work that `table` describes.

    Raises:
        UsageError: it could never be run, or its steps make no slope.
    """
    steps = decode(entry.document, StepsTable, "query", entry.name, "memory")
    if len(steps.at) < 2 or list(steps.at) != sorted(set(steps.at)) or steps.at[0] < 0:
        raise entry.wrong("name two numbers of steps or more, rising", "memory", "at")
    touch = (steps.touch,) if isinstance(steps.touch, str) else steps.touch
    for command, key in ((table.start, "start"), *((each, "memory") for each in touch)):
        check(command, _NAMES, entry.where(key))
    env = read_env(table.env, entry, _NAMES)
    if not any("{at}" in text for text in (table.start, *touch, *env.values())):
        raise entry.wrong("{at} stands nowhere, so every step is the same", "memory")
    ready, within = read_ready(table.ready, entry)
    if ready.http and urlsplit(ready.http).hostname not in _HERE:
        raise entry.wrong("only this machine is asked: http://127.0.0.1:{port}/", "ready")
    return MemoryWork(
        start=table.start,
        at=steps.at,
        touch=touch,
        ready=ready,
        within=parse_seconds(within, where=entry.where("ready")),
        grace=parse_seconds(table.stop_within, where=entry.where("stop-within")),
        env=env,
    )


def own(table: MemoryTable, entry: Entry) -> Own:
    """Return the metrics of what is held.

    Raises:
        UsageError: there is none of that name.
    """
    for name in table.metrics:
        if name not in MEMORY_METRICS:
            raise entry.wrong(
                f"what a process holds has no {name}",
                "metrics",
                detail=f"there are {listed(MEMORY_METRICS)}",
            )
    return Own(metrics=MEMORY_METRICS, limits=MEMORY_LIMITS, usual=_USUAL)


def memory_commands(query: Query, place: Place, port: int, at: int) -> tuple[Command, ...]:
    """Return the process that is started for `at` steps, and those that touch it."""
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, MemoryWork)
    filled = {**values(query, place), "port": str(port), "at": str(at)}
    env = {name: fill(value, filled, where) for name, value in work.env.items()}
    return tuple(
        Command(
            argv=argv(line, filled, where),
            env={**place.env, **env},
            cwd=place.tree,
            timeout=query.timeout,
        )
        for line in (work.start, *work.touch)
    )


def memory_work(query: Query, place: Place, port: int) -> MemoryWork:
    """Return what is waited for, placeholders filled in."""
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, MemoryWork)
    filled = {**values(query, place), "port": str(port)}
    ready = Ready(
        tcp=fill(work.ready.tcp, filled, where),
        http=fill(work.ready.http, filled, where),
        line=fill(work.ready.line, filled, where),
    )
    return replace(work, ready=ready)
