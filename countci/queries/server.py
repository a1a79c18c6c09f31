"""The kind `server`: commands that are started, put under load, and stopped."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from countci.model import INSTRUCTIONS, METRICS, TIME, Load, Query, Ready, ServerWork
from countci.process import Command
from countci.queries.command import argv, check, read_env, values
from countci.queries.place import Place
from countci.queries.placeholders import NAMES, fill
from countci.queries.server_loads import LoadTable, NeighbourTable, read_load, read_neighbour
from countci.queries.server_metrics import limit_of, metrics_of, usual
from countci.queries.tables import Entry, Own
from countci.reading.spelling import listed
from countci.reading.toml import Scalar, decode, scalar
from countci.units import parse_seconds

_NAMES = (*NAMES[1:], "port")
_WAYS = ("tcp", "http", "line")
_EXAMPLE = 'ready = { tcp = "{port}" } or { http = "http://127.0.0.1:{port}/" } or { line = "up" }'


class ServerTable(LoadTable, frozen=True, kw_only=True):
    """`[query.NAME]` of this kind."""

    start: str | tuple[str, ...]
    ready: dict[str, Any] = msgspec.field(default_factory=dict)
    env: dict[str, Any] = msgspec.field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    stop_within: Scalar = "10s"
    neighbour: dict[str, Any] = msgspec.field(default_factory=dict)
    allow_remote: bool = False


def read(table: ServerTable, entry: Entry) -> ServerWork:
    """Return the work that `table` describes.

    Raises:
        UsageError: it could never be run, or its load would leave this machine.
    """
    start = (table.start,) if isinstance(table.start, str) else table.start
    if not start:
        raise entry.wrong("name at least one command", "start")
    for command in start:
        check(command, _NAMES, entry.where("start"))
    ready, within = read_ready(table.ready, entry)
    work = ServerWork(
        start=start,
        ready=ready,
        within=parse_seconds(within, where=entry.where("ready")),
        grace=parse_seconds(table.stop_within, where=entry.where("stop-within")),
        load=read_load(table, entry),
        neighbour=_neighbour(table, entry),
        env=read_env(table.env, entry, _NAMES),
    )
    _check_addresses(work, entry, allowed=table.allow_remote)
    return work


def own(table: ServerTable, entry: Entry) -> Own:
    """Return the metrics that the query's load tells.

    Raises:
        UsageError: it tells nothing of that name.
    """
    work = read(table, entry)
    there = metrics_of(work)
    for name in table.metrics:
        if name == TIME.name:
            raise entry.wrong(
                "a server runs until it is stopped: it has no time of its own", "metrics"
            )
        if name not in there and name not in METRICS:
            raise entry.wrong(
                f"a load like this tells nothing called {name}",
                "metrics",
                detail=f"there are {listed(there)}",
            )
    if INSTRUCTIONS.name in table.metrics and len(work.start) > 1:
        raise entry.wrong("instructions are counted of a server that is one command", "metrics")
    limits = {name: limit_of(metric) for name, metric in there.items()}
    return Own(metrics=there, limits=limits, usual=usual(work))


def server_commands(query: Query, place: Place, port: int) -> tuple[Command, ...]:
    """Return the processes that serve at `place`, in the order in which they are started."""
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, ServerWork)
    filled = {**values(query, place), "port": str(port)}
    env = {name: fill(value, filled, where) for name, value in work.env.items()}
    return tuple(
        Command(
            argv=argv(line, filled, where),
            env={**place.env, **env},
            cwd=place.tree,
            timeout=query.timeout,
        )
        for line in work.start
    )


def filled_work(query: Query, place: Place, port: int) -> ServerWork:
    """Return what is waited for and sent, placeholders filled in."""
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, ServerWork)
    filled = {**values(query, place), "port": str(port)}
    return _mapped(work, filled, where)


def _mapped(work: ServerWork, filled: Mapping[str, str], where: str) -> ServerWork:
    ready = Ready(
        tcp=fill(work.ready.tcp, filled, where),
        http=fill(work.ready.http, filled, where),
        line=fill(work.ready.line, filled, where),
    )
    other = work.neighbour
    return replace(
        work,
        ready=ready,
        load=replace(work.load, url=fill(work.load.url, filled, where)),
        neighbour=None if other is None else replace(other, url=fill(other.url, filled, where)),
    )


def read_ready(written: Mapping[str, Any], entry: Entry) -> tuple[Ready, str | float]:
    """Return when a server is ready, and how long it may take."""
    given = dict(written)
    within = given.pop("within", "10s")
    for way in given:
        if way not in _WAYS:
            raise entry.wrong(f'"{way}" is not one of {listed((*_WAYS, "within"))}', "ready")
    if len(given) > 1:
        raise entry.wrong("say one way in which it is known to be ready", "ready", detail=_EXAMPLE)
    found = {
        way: str(scalar(entry.document, value, "query", entry.name, "ready", way))
        for way, value in given.items()
    } or {"tcp": "{port}"}
    for way, text in found.items():
        filled = fill(text, dict.fromkeys(_NAMES, "1"), entry.where("ready"))
        if way == "tcp" and not (filled.isdigit() and 0 < int(filled) < 65536):
            raise entry.wrong(f"{text!r} is no port", "ready", "tcp")
        if not filled:
            raise entry.wrong("say what is waited for", "ready", way)
    return Ready(**found), scalar(entry.document, within, "query", entry.name, "ready", "within")


def _neighbour(table: ServerTable, entry: Entry) -> Load | None:
    if not table.neighbour:
        return None
    path = ("query", entry.name, "neighbour")
    return read_neighbour(decode(entry.document, NeighbourTable, *path), entry)


def _check_addresses(work: ServerWork, entry: Entry, *, allowed: bool) -> None:
    """Raise a UsageError for a load that isn't HTTP, or goes elsewhere without being allowed."""
    loads: list[tuple[Literal["url", "neighbour", "ready"], str]] = [("url", work.load.url)]
    loads += [("neighbour", work.neighbour.url)] if work.neighbour else []
    loads += [("ready", work.ready.http)] if work.ready.http else []
    for key, url in loads:
        filled = fill(url, dict.fromkeys(_NAMES, "1"), entry.where(key))
        try:
            parts = urlsplit(filled)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise entry.wrong(f"{url!r} is no address: {error}", key) from error
        if parts.scheme != "http" or not host or not filled.isascii() or " " in filled:
            raise entry.wrong(f'{url!r} is no address: write "http://127.0.0.1:{{port}}/"', key)
        if not allowed and not _is_loopback(host):
            raise entry.wrong(
                f"{host} is not this machine, and a load on another one may hurt it",
                key,
                detail="use 127.0.0.1; or, if that machine is yours, say allow-remote = true",
            )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
