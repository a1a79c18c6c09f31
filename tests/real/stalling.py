"""A server that holds its answers for the last half of every second: `stalling.py PORT`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Held(asyncio.Protocol):
    """One connection."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer at once, or when the next second begins."""
        assert data.endswith(b"\r\n\r\n")
        into = time.monotonic() % 1.0
        if into < 0.5:
            self.transport.write(ANSWER)
        else:
            asyncio.get_running_loop().call_later(1.0 - into, self.transport.write, ANSWER)


async def main(port: int) -> None:
    """Serve until the end."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Held, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    # Its own delays are no part of what is known about it.
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)
        Path("/proc/self/autogroup").write_text("-19")
    asyncio.run(main(int(sys.argv[1])))
