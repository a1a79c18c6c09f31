"""Servers under load: what is started, what is sent to it, what its threads did."""

from __future__ import annotations

from typing import Literal, TypeAlias

from countci.model.frozen import Frozen
from countci.units import Seconds


class Ready(Frozen, frozen=True, kw_only=True):
    """When a server is ready: exactly one of the three."""

    tcp: str = ""
    """A port of the loopback address that accepts a connection."""
    http: str = ""
    """An address that is answered with a status below 500."""
    line: str = ""
    """A text that its output holds."""


Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
"""Of requests whose answer may have a body."""


class HttpRequest(Frozen, frozen=True, kw_only=True):
    """What each request of a load is, beside its address."""

    method: Method = "GET"
    headers: dict[str, str] = {}
    body: str = ""
    """As it is sent, in UTF-8."""


class Load(Frozen, frozen=True, kw_only=True):
    """Requests that are sent to one address."""

    url: str
    request: HttpRequest = HttpRequest()
    loop: Literal["closed", "open"] = "closed"
    """`closed`: each connection waits for its answer. `open`: by a schedule, whatever comes."""
    tool: Literal["own", "ab", "h2load", "wrk"] = "own"
    concurrency: int = 10
    """Connections of a closed loop."""
    rate: float = 0.0
    """Arrivals a second of an open loop."""
    arrivals: Literal["poisson", "constant"] = "poisson"
    requests: int = 0
    seconds: Seconds = Seconds(0.0)
    """One of the two bounds is 0."""
    connections: int = 1000
    """The most that an open loop opens; then requests queue."""


class ServerWork(Frozen, frozen=True, kw_only=True, tag="server"):
    """Start a server, put it under load, stop it."""

    start: tuple[str, ...]
    """Commands, started in this order; `{port}` is a free port."""
    ready: Ready
    within: Seconds
    """How long it may take to be ready."""
    grace: Seconds
    """How long it may take to end after SIGTERM."""
    load: Load
    neighbour: Load | None = None
    """A second load meanwhile, which saturates another address."""
    env: dict[str, str] = {}

    @property
    def repeats(self) -> bool:
        """Any number of requests can be sent."""
        return True

    @property
    def stdin(self) -> None:
        """A server has nothing to read."""

    @property
    def fixed(self) -> tuple[Literal["clock", "random"], ...]:
        """Nothing."""
        return ()


class ThreadUse(Frozen, frozen=True, kw_only=True):
    """What all threads of one name used while a load ran. Made by `serving.threads`."""

    name: str
    count: int
    cpu: float
    """Seconds on a processor."""
    waiting: float
    """Seconds in the run queue."""
    voluntary: int
    """Context switches: it waited for something."""
    involuntary: int
