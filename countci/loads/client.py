"""The client of our own: its specification, its command."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from countci.model.servers import Load
from countci.process import Command
from countci.units import Seconds

_SCRIPT = Path(__file__).parents[1] / "inside" / "load.py"
_PATIENCE = {"open": 10.0, "closed": 60.0}
"""Seconds for the last answers; a server that is counted takes its time."""
_WITH_BODY = ("POST", "PUT", "PATCH")
"""Methods whose length is said even where it is 0."""
_HOLD = 30.0
"""More than the looks at a server's threads take; the client is ended right after them."""
_START = 5.0
"""Seconds that the client's own start may take on a busy machine."""


def client(load: Load, folder: Path, *, seed: int, processor: int, name: str = "load") -> Command:
    """Return the command that sends `load`, and writes `NAME.json` in `folder`.

    Args:
        load: placeholders filled in.
        folder: takes what it reads and writes.
        seed: of the arrivals of an open loop.
        processor: that it stays on; -1 for any.
        name: tells two loads of one folder apart.
    """
    given = folder / f"{name}-given.json"
    given.write_text(json.dumps(_specification(load, seed, processor)), encoding="utf-8")
    return Command(
        argv=(sys.executable, "-I", "-S", str(_SCRIPT), str(given), str(result_of(folder, name))),
        env={},
        cwd=folder,
        stdout=folder / f"{name}.out",
        timeout=Seconds(length(load) + _PATIENCE[load.loop] + _START),
    )


def result_of(folder: Path, name: str = "load") -> Path:
    """Return where the client of that name leaves its result."""
    return folder / f"{name}.json"


def page_of(folder: Path) -> Path:
    """Return where the client leaves the body of its first good answer."""
    result = result_of(folder)
    return result.with_name(f"{result.name}.page")


def count(load: Load) -> int:
    """Return how many requests are sent; 0 where time alone ends it."""
    if load.loop == "open" and not load.requests:
        return max(2, math.ceil(load.rate * load.seconds))
    return load.requests


def length(load: Load) -> float:
    """Return how many seconds a load is expected to take at most."""
    if load.loop == "open":
        return count(load) / load.rate * 1.5
    return load.seconds or max(60.0, load.requests / 100)


def closed(load: Load, concurrency: int, *, requests: int) -> Load:
    """Return a fixed sequence of requests to the same address."""
    return Load(url=load.url, request=load.request, concurrency=concurrency, requests=requests)


def request_of(load: Load) -> str:
    """Return what is sent for each request.

    Source:
        RFC 9112, sections 3 and 6.
    """
    parts, sent = urlsplit(load.url), load.request
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"Host": parts.netloc, **sent.headers}
    if sent.body or sent.method in _WITH_BODY:
        headers["Content-Length"] = str(len(sent.body.encode()))
    lines = [f"{sent.method} {path} HTTP/1.1", *(f"{name}: {headers[name]}" for name in headers)]
    return "\r\n".join([*lines, "", sent.body])


def _specification(load: Load, seed: int, processor: int) -> Mapping[str, object]:
    parts = urlsplit(load.url)
    return {
        "host": parts.hostname,
        "port": parts.port or 80,
        "request": request_of(load),
        "loop": load.loop,
        "count": count(load),
        "seconds": 0.0 if load.loop == "open" else load.seconds,
        "rate": load.rate,
        "arrivals": load.arrivals,
        "seed": seed,
        "connections": load.connections,
        "concurrency": load.concurrency,
        "patience": _PATIENCE[load.loop],
        "processor": processor,
        "hold": _HOLD,
    }
