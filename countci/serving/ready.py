"""Is a server ready? Asked until it is, has ended, or its time is over."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from countci.errors import MeasureError
from countci.model import Ready
from countci.process import Background
from countci.serving.ports import HOST, answers
from countci.units import Seconds, show_seconds

_LOOK = 0.005
_TAIL = 2000
_ANSWER = 5.0


def wait_until_ready(server: Background, ready: Ready, *, within: Seconds) -> None:
    """Return once `server` is ready as `ready` says it.

    Args:
        server: its output is one file, its `stdout`.
        ready: placeholders filled in.
        within: how long it may take.

    Raises:
        MeasureError: it ended, or took too long; with the end of its output.
    """
    look, said = _look(server, ready)
    end = time.monotonic() + within
    while True:
        if (status := server.status) is not None:
            raise _ended(server, status)
        if look():
            return
        server.check_time()
        if time.monotonic() > end:
            raise MeasureError(
                f"not ready within {show_seconds(within)}: {said}",
                where=server.command.line,
                detail=tail(server) or "it wrote nothing; `ready` says what is waited for",
            )
        time.sleep(_LOOK)


def wait_for_address(url: str, *, within: Seconds) -> None:
    """Return once something accepts connections there.

    Raises:
        MeasureError: nothing did in time.
    """
    parts = urlsplit(url)
    end = time.monotonic() + within
    while not answers(parts.hostname or HOST, parts.port or 80):
        if time.monotonic() > end:
            raise MeasureError(
                f"nothing accepts a connection within {show_seconds(within)}", where=url
            )
        time.sleep(_LOOK)


def _look(server: Background, ready: Ready) -> tuple[Callable[[], bool], str]:
    """Return what tells whether it is ready, and what is said of a server that isn't."""
    if ready.line:
        assert server.command.stdout is not None
        return _Lines(server.command.stdout, ready.line).seen, f'no "{ready.line}" in its output'
    if ready.http:
        url = ready.http
        return lambda: _serves(url), f"{url} gives no answer below status 500"
    port = int(ready.tcp)
    return lambda: answers(HOST, port), f"nothing accepts a connection on port {port}"


class _Lines:
    """The output of a server, read on as it grows."""

    def __init__(self, path: Path, text: str) -> None:
        """Begin at the start of the file."""
        self._path, self._text = path, text.encode()
        self._done = 0

    def seen(self) -> bool:
        """Whether the text has come."""
        with self._path.open("rb") as stream:
            # The text may have come in two writes: a little of what was read is read again.
            stream.seek(max(0, self._done - len(self._text)))
            new = stream.read()
            self._done = stream.tell()
        return self._text in new


def _serves(url: str) -> bool:
    import http.client

    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or HOST, parts.port or 80, _ANSWER)
    try:
        connection.request("GET", parts.path or "/")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _ended(server: Background, status: int) -> MeasureError:
    how = f"signal {-status}" if status < 0 else f"exit status {status}"
    server.stop(Seconds(0.0))
    words = [tail(server)]
    if server.left:
        names = ", ".join(server.left)
        words.append(f"left running, and ended now: {names}")
        words.append("a server must stay in the foreground: leave out its daemon option")
    return MeasureError(
        f"the server ended before it was ready, {how}",
        where=server.command.line,
        detail="\n".join(filter(None, words)) or "it wrote nothing",
    )


def tail(server: Background) -> str:
    """Return the end of what a server wrote."""
    assert server.command.stdout is not None
    try:
        with server.command.stdout.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _TAIL))
            return stream.read().decode(errors="replace").strip()
    except OSError:
        return ""
