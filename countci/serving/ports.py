"""A port for `{port}`: the same one on both sides, and nobody else's."""

from __future__ import annotations

import contextlib
import socket
import zlib
from collections.abc import Iterator

from countci.errors import MeasureError

_FIRST = 20_000
_COUNT = 10_000
"""Below 32,768, where Linux takes the ports of outgoing connections from."""
_TRIED = 200
HOST = "127.0.0.1"


class Ports:
    """The ports of one run. Made by `ports`.

    A server listens only while it is measured, so that a port that is free may be another
    countci's between two of its servers. Each is claimed as a socket of that name without a
    file: such names are one network's as ports are, and are gone with the process.
    """

    def __init__(self, claims: contextlib.ExitStack) -> None:
        """Have none yet; `claims` gives them back."""
        self._claims = claims
        self._ports: dict[str, int] = {}

    def of(self, name: str) -> int:
        """Return the port of `name`: as in each run, unless another program has it.

        Raises:
            MeasureError: none of many is free.
        """
        if name not in self._ports:
            self._ports[name] = self._claimed(name)
        return self._ports[name]

    def _claimed(self, name: str) -> int:
        start = zlib.crc32(name.encode()) % _COUNT
        for step in range(_TRIED):
            port = _FIRST + (start + step) % _COUNT
            if _is_free(port) and self._claim(port):
                return port
        raise MeasureError(f"none of {_TRIED} ports from {_FIRST + start} on is free", where=name)

    def _claim(self, port: int) -> bool:
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0countci port {port}")
        except OSError:
            claim.close()
            return False
        self._claims.enter_context(claim)
        return True


@contextlib.contextmanager
def ports() -> Iterator[Ports]:
    """Have ports that no other countci takes while the block lasts."""
    with contextlib.ExitStack() as claims:
        yield Ports(claims)


def _is_free(port: int) -> bool:
    """Whether a server could listen there: connections that are only fading don't keep it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def answers(host: str, port: int) -> bool:
    """Whether something accepts a connection there."""
    try:
        with socket.create_connection((host, port), timeout=1.0):
            return True
    except OSError:
        return False
