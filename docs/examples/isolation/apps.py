"""Two apps, each in a process of its own or, with HOST=1, both in one.

    python apps.py PORT

B answers on 127.0.0.1, A on 127.0.0.2: the same port, so that one number names both.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

_ANSWER = b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"
_A, _B = "127.0.0.2", "127.0.0.1"


class _App(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._request = b""

    def data_received(self, data: bytes) -> None:
        """Answer once a request is whole."""
        self._request += data
        if self._request.endswith(b"\r\n\r\n"):
            self._transport.write(_ANSWER)
            self._request = b""


async def serve(port: int, *hosts: str) -> None:
    """Serve on all of `hosts`, by one loop, until SIGTERM."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    for host in hosts:
        await loop.create_server(_App, host, port, backlog=1024)
    await ended.wait()


def main(port: int) -> None:
    """Serve A and B."""
    if os.environ.get("HOST") == "1":
        asyncio.run(serve(port, _A, _B))
        return
    child = os.fork()
    if not child:
        asyncio.run(serve(port, _A))
        os._exit(0)
    asyncio.run(serve(port, _B))
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
