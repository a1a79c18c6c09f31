"""A port for `{port}`: the same one on both sides, and nobody else's."""

from __future__ import annotations

import socket
import zlib

from countci.errors import MeasureError

_FIRST = 20_000
_COUNT = 10_000
"""Below 32,768, where Linux takes the ports of outgoing connections from."""
_TRIED = 200
HOST = "127.0.0.1"


def free_port(name: str) -> int:
    """Return a port that is free on the loopback address, the same one for a name while it is.

    Raises:
        MeasureError: none of many is free.
    """
    start = zlib.crc32(name.encode()) % _COUNT
    for step in range(_TRIED):
        port = _FIRST + (start + step) % _COUNT
        if is_free(port):
            return port
    raise MeasureError(f"none of {_TRIED} ports from {_FIRST + start} on is free", where=name)


def is_free(port: int) -> bool:
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
