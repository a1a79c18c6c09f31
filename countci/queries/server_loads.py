"""What a query file says of a load: how many requests, how fast, by what."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

import msgspec

from countci.model import HttpRequest, Load, Method
from countci.queries.tables import Entry, QueryTable, Written
from countci.reading.spelling import listed
from countci.reading.toml import Scalar, decode, one_of
from countci.units import Seconds, parse_seconds

_URL = "http://127.0.0.1:{port}/"
_TOOLS = ("own", "ab", "h2load", "wrk")
_MOST_REQUESTS = 10_000_000
_LONGEST = 600.0
_MOST_CONNECTIONS = 10_000
_USUAL = "5s"
_LARGEST = 2**20
_METHODS = get_args(Method)
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, section 5.1: a token."""
_OURS = ("host", "content-length", "transfer-encoding", "connection", "expect")
_OF_LOOP = {
    "open": ("rate", "arrivals", "connections"),
    "closed": ("tool", "concurrency"),
}
"""Keys that mean something in one of the two only."""


class LoadTable(QueryTable, frozen=True, kw_only=True):
    """The keys of a load, beside those of every query."""

    load: str = "closed"
    url: str = ""
    request: dict[str, Any] = msgspec.field(default_factory=dict)
    tool: str = "own"
    concurrency: Scalar = 10
    rate: Scalar | None = None
    arrivals: str = "poisson"
    requests: Scalar | None = None
    seconds: Scalar | None = None
    connections: Scalar = 1000


class RequestTable(Written, frozen=True, kw_only=True):
    """`request`."""

    method: str = "GET"
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    body: str = ""


class NeighbourTable(Written, frozen=True, kw_only=True):
    """`neighbour`."""

    url: str
    concurrency: Scalar = 10


def read_neighbour(table: NeighbourTable, entry: Entry) -> Load:
    """Return the load of a neighbour: a closed loop that ends with the load that it is beside.

    Raises:
        UsageError: it makes no sense.
    """
    connections = _whole(table.concurrency, _MOST_CONNECTIONS, "neighbour", entry)
    return Load(url=table.url, concurrency=connections, seconds=Seconds(_LONGEST))


def read_load(table: LoadTable, entry: Entry) -> Load:
    """Return the load that `table` describes.

    Raises:
        UsageError: it makes no sense, or is more than a machine should be asked for.
    """
    path = ("query", entry.name)
    one_of(entry.document, table.load, tuple(_OF_LOOP), *path, "load")
    one_of(entry.document, table.tool, _TOOLS, *path, "tool")
    one_of(entry.document, table.arrivals, ("poisson", "constant"), *path, "arrivals")
    loop: Literal["open", "closed"] = "open" if table.load == "open" else "closed"
    _check_keys(table, loop, entry)
    requests, seconds = _bounds(table, entry)
    rate = _rate(table, entry) if loop == "open" else 0.0
    if rate * seconds > _MOST_REQUESTS or (rate and requests / rate > _LONGEST):
        raise entry.wrong(f"more than {_MOST_REQUESTS:,} requests or {_LONGEST:g} s", "rate")
    if table.tool == "wrk" and not seconds:
        raise entry.wrong("wrk takes `seconds`, and no number of requests", "requests")
    return Load(
        url=table.url or _URL,
        request=_request(table, entry),
        loop=loop,
        tool=_tool(table.tool),
        concurrency=_whole(table.concurrency, _MOST_CONNECTIONS, "concurrency", entry),
        rate=rate,
        arrivals="constant" if table.arrivals == "constant" else "poisson",
        requests=requests,
        seconds=seconds,
        connections=_whole(table.connections, _MOST_CONNECTIONS, "connections", entry),
    )


def _request(table: LoadTable, entry: Entry) -> HttpRequest:
    """Return what each request is. Nothing is filled in: braces are usual in a body."""
    if not table.request:
        return HttpRequest()
    if table.tool != "own":
        raise entry.wrong(f"{table.tool} sends a plain GET", "request", detail='tool = "own"')
    path = ("query", entry.name, "request")
    written = decode(entry.document, RequestTable, *path)
    one_of(entry.document, written.method, _METHODS, *path, "method")
    for name, value in written.headers.items():
        if not _NAME.fullmatch(name) or not value.isprintable() or not value.isascii():
            raise entry.wrong(f"{name!r}: {value!r} is no header", "request", "headers")
        if name.lower() in _OURS:
            raise entry.wrong(f"{name} is what countci sends itself", "request", "headers")
    if len(written.body.encode()) > _LARGEST:
        raise entry.wrong(f"more than {_LARGEST:,} bytes", "request", "body")
    return msgspec.convert(msgspec.structs.asdict(written), HttpRequest)


def _tool(name: str) -> Literal["own", "ab", "h2load", "wrk"]:
    tools: dict[str, Literal["own", "ab", "h2load", "wrk"]] = {
        "own": "own",
        "ab": "ab",
        "h2load": "h2load",
        "wrk": "wrk",
    }
    return tools[name]


def _check_keys(table: LoadTable, loop: str, entry: Entry) -> None:
    """Raise a UsageError for a key that would be ignored."""
    usual: dict[str, Any] = {"rate": None, "arrivals": "poisson", "connections": 1000}
    usual |= {"tool": "own", "concurrency": 10}
    for other, keys in _OF_LOOP.items():
        for key in keys:
            if other != loop and getattr(table, key) != usual[key]:
                means = listed(_OF_LOOP[loop])
                raise entry.wrong(
                    f"it means nothing in a load that is {loop}", key, detail=f"there: {means}"
                )


def _bounds(table: LoadTable, entry: Entry) -> tuple[int, Seconds]:
    """Return the number of requests and the seconds; one of them is 0."""
    if table.requests is not None and table.seconds is not None:
        raise entry.wrong("either `requests` or `seconds` ends a load", "seconds")
    if table.requests is not None:
        return _whole(table.requests, _MOST_REQUESTS, "requests", entry), Seconds(0.0)
    written = _USUAL if table.seconds is None else table.seconds
    seconds = parse_seconds(written, where=entry.where("seconds"))
    if seconds > _LONGEST:
        raise entry.wrong(f"more than {_LONGEST:g} s", "seconds")
    return 0, seconds


def _rate(table: LoadTable, entry: Entry) -> float:
    if table.rate is None:
        raise entry.wrong("an open load needs its arrivals a second", "rate", detail="rate = 1000")
    try:
        rate = float(table.rate)
    except ValueError:
        rate = 0.0
    if not 0.1 <= rate <= 1e6:
        raise entry.wrong(f"{table.rate!r} is no number of requests a second", "rate")
    return rate


def _whole(value: str | float, most: int, key: str, entry: Entry) -> int:
    """Return a number that a sweep may have filled in as text."""
    text = str(value)
    if not text.isdecimal() or not 0 < int(text) <= most:
        raise entry.wrong(f"{value!r} is no whole number from 1 to {most:,}", key)
    return int(text)
