"""One server, asked patiently: repeats, redirects and an end to it all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urljoin

from countci.errors import UsageError
from countci.network.address import origin, shown
from countci.network.exchange import exchange
from countci.network.failures import Elsewhere, NetworkError, Uncertain
from countci.network.messages import Answer, Request
from countci.network.patience import pause
from countci.units import Seconds

_SAME_METHOD = (301, 307, 308)
_HOPS = 3
_TOGETHER = Seconds(120.0)
"""For all requests and waits of a client."""
_EACH = Seconds(10.0)
_SHORTEST = Seconds(0.001)
"""None at all would be no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time as a client knows it, in seconds."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Client:
    """Asks one server, until two minutes after it was made."""

    def __init__(
        self,
        server: str,
        headers: Mapping[str, str],
        *,
        proxy: str = "",
        each: Seconds = _EACH,
        clock: Clock = Clock(),
    ) -> None:
        """Start the clock.

        Args:
            server: any address of it; no other is asked, whatever links and redirects say.
            headers: sent with every request; may hold a token.
            proxy: asked instead of the server; may be empty.
            each: limit for connecting, and for each piece of an answer.
            clock: tells the time, and waits.

        Raises:
            UsageError: no token may go to that server.
        """
        self._origin = origin(server)
        self._server = server
        self._headers = headers
        self._proxy = proxy
        self._each = each
        self._clock = clock
        self._ends = clock.now() + _TOGETHER

    def send(self, request: Request) -> Answer:
        """Return the last answer to `request`, whatever its status, asked again where that helps.

        Raises:
            Uncertain: it isn't repeatable, and may have been done.
            NetworkError: there is no answer, or it leads to another server.
            UsageError: the address is none to send a secret to.
        """
        repeats = 0
        while True:
            answer, failure = self._once(request)
            if not request.repeatable:
                _be_certain(request, answer, failure)
            wait = pause(answer, repeats)
            if wait is None or self._left() <= wait:
                if answer is None:
                    assert failure is not None
                    raise failure
                return answer
            self._clock.sleep(wait)
            repeats += 1

    def _once(self, request: Request) -> tuple[Answer | None, NetworkError | None]:
        try:
            return self._follow(request), None
        except Elsewhere:
            raise
        except NetworkError as failure:
            return None, failure

    def _follow(self, request: Request) -> Answer:
        for _ in range(_HOPS + 1):
            self._stay(request.url)
            answer = exchange(
                request,
                self._headers,
                proxy=self._proxy,
                limit=Seconds(max(_SHORTEST, min(self._each, self._left()))),
                late=lambda: self._left() <= 0,
            )
            if answer.status not in _SAME_METHOD or "location" not in answer.headers:
                return answer
            request = replace(request, url=urljoin(request.url, answer.headers["location"]))
        raise Elsewhere(f"more than {_HOPS} redirects", where=shown(request.url))

    def _stay(self, url: str) -> None:
        try:
            same = origin(url) == self._origin
        except UsageError:
            same = False
        if not same:
            raise Elsewhere(
                "leads to another server, which gets nothing that is meant for this one",
                where=shown(self._server),
            )

    def _left(self) -> float:
        return self._ends - self._clock.now()


def _be_certain(request: Request, answer: Answer | None, failure: NetworkError | None) -> None:
    """Raise Uncertain for what may have been done although nobody said so."""
    if isinstance(failure, Uncertain):
        raise failure
    if answer is not None and answer.status >= 500:
        where = f"{request.method} {shown(request.url)}"
        raise Uncertain(f"answered {answer.status}", where=where)
