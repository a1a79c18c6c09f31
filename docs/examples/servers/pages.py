"""A small server in two arrangements: a thread for each connection, or with EVENT=1 one loop.

    python pages.py PORT

Both answer GET with the same page, which takes a little work to make, and keep connections.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
import sys
import threading

_ROUNDS = 20


def page() -> bytes:
    """Return an answer of HTTP/1.1."""
    text = b"0"
    for _ in range(_ROUNDS):
        text = hashlib.sha256(text).hexdigest().encode()
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(text), text)


def _answered(request: bytes) -> tuple[bytes, bool]:
    """Return the answer, and whether the connection is kept: ab without -k wants it closed."""
    old = b" HTTP/1.0\r\n" in request and b"keep-alive" not in request.lower()
    kept = b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n"
    return page().replace(b"HTTP/1.1 200 OK\r\n", kept), not old


def _serve(connection: socket.socket) -> None:
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request, kept = b"", True
        try:
            while kept and (piece := connection.recv(65536)):
                request += piece
                if request.endswith(b"\r\n\r\n"):
                    answer, kept = _answered(request)
                    connection.sendall(answer)
                    request = b""
        except ConnectionError:
            pass  # a client that left


def threaded(port: int) -> None:
    """Serve with a thread for each connection."""
    with socket.create_server(("127.0.0.1", port), backlog=1024) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_serve, args=(connection,), daemon=True).start()


class _Page(asyncio.Protocol):
    """One connection of the loop."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._request = b""

    def data_received(self, data: bytes) -> None:
        """Answer once a request is whole."""
        self._request += data
        if self._request.endswith(b"\r\n\r\n"):
            answer, kept = _answered(self._request)
            self._transport.write(answer)
            self._request = b""
            if not kept:
                self._transport.close()


async def evented(port: int) -> None:
    """Serve with one loop for all connections."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Page, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    chosen = int(sys.argv[1])
    if os.environ.get("EVENT") == "1":
        asyncio.run(evented(chosen))
    else:
        threaded(chosen)
