"""Connections to one server, requests on their way, and what came back of them."""

from __future__ import annotations

import select
import socket
import time
from array import array

from .load_answer import AnswerError, length_of

_PIECE = 1 << 16
_IN_PROGRESS = (0, 115)
"""What a connection says that is not refused: it is there, or EINPROGRESS."""


class Tally:
    """What is written down of a load: raw times in nanoseconds."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.latencies = array("q")
        self.lateness = array("q")
        self.sent = 0
        self.errors = 0
        self.error = ""
        self.began = self.ended = time.monotonic_ns()
        self.first_sent = self.last_sent = 0
        self.connections = 0
        self.stopped = False
        self.page = b""
        """What the first good answer brings, without its head, which may hold the time."""

    def fail(self, why: str) -> None:
        """Take down a request that got no good answer."""
        self.errors += 1
        self.error = self.error or why
        self.ended = time.monotonic_ns()


class Connection:
    """One connection, and the one request on its way."""

    __slots__ = ("answer", "due", "fresh", "socket", "unsent")

    def __init__(self, opened: socket.socket) -> None:
        """Begin without a request."""
        self.socket = opened
        self.due = -1
        """From when its answer is timed; -1 when it is idle."""
        self.answer = b""
        self.unsent = b""
        self.fresh = True


class Exchange:
    """All connections to one server. Never waits, but in `wait`."""

    def __init__(self, host: str, port: int, request: bytes, tally: Tally) -> None:
        """Begin without a connection."""
        self._address = (host, port)
        self._request = request
        self._family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._poll = select.epoll()
        self._all: dict[int, Connection] = {}
        self._idle: list[Connection] = []
        self._again: list[int] = []
        self.tally = tally

    @property
    def on_their_way(self) -> int:
        """Requests without an answer yet."""
        return len(self._all) - len(self._idle) + len(self._again)

    def send(self, due: int, most: int) -> bool:
        """Send a request; False when all of `most` connections are busy.

        Args:
            due: from when its answer is timed.
            most: connections.
        """
        if self._idle:
            connection = self._idle.pop()
        elif len(self._all) < most:
            fresh = self._open()
            if fresh is None:
                return True  # it failed, which is written down
            connection = fresh
        else:
            return False
        connection.due, connection.answer, connection.unsent = due, b"", self._request
        self._write(connection)
        return True

    def wait(self, seconds: float) -> None:
        """Take what has come, waiting at most so long for it."""
        for number, events in self._poll.poll(seconds):
            connection = self._all.get(number)
            if connection is None:
                continue
            if connection.unsent and events & select.EPOLLOUT:
                self._write(connection)
            if events & ~select.EPOLLOUT:
                self._read(connection)
        again, self._again = self._again, []
        for due in again:
            self.send(due, len(self._all) + 1)

    def close(self) -> None:
        """Close all connections: before the server does, whose port they would keep else."""
        for connection in tuple(self._all.values()):
            self._drop(connection)
        self._poll.close()

    def _open(self) -> Connection | None:
        opened = socket.socket(self._family, socket.SOCK_STREAM)
        opened.setblocking(False)  # noqa: FBT003 - the standard library's own
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        status = opened.connect_ex(self._address)
        if status not in _IN_PROGRESS:
            opened.close()
            self.tally.fail(f"connection refused ({status})")
            return None
        connection = Connection(opened)
        self._all[opened.fileno()] = connection
        self._poll.register(opened.fileno(), select.EPOLLIN)
        self.tally.connections = max(self.tally.connections, len(self._all))
        return connection

    def _write(self, connection: Connection) -> None:
        try:
            done = connection.socket.send(connection.unsent)
            connection.unsent = connection.unsent[done:]
        except BlockingIOError:
            pass
        except OSError as error:
            self._lost(connection, error.strerror or str(error))
            return
        events = select.EPOLLIN | (select.EPOLLOUT if connection.unsent else 0)
        if connection.unsent or connection.fresh:
            self._poll.modify(connection.socket.fileno(), events)

    def _read(self, connection: Connection) -> None:
        try:
            piece = connection.socket.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError as error:
            self._lost(connection, error.strerror or str(error))
            return
        if connection.due < 0:
            self._idle.remove(connection)
            self._drop(connection)
            return
        answer = connection.answer = connection.answer + piece if connection.answer else piece
        try:
            length, status = length_of(answer, ended=not piece)
        except AnswerError as error:
            self._lost(connection, str(error))
            return
        if length > len(answer):
            return
        self._answered(connection, status, last=not piece)

    def _answered(self, connection: Connection, status: int, *, last: bool) -> None:
        now = time.monotonic_ns()
        tally = self.tally
        if status >= 400:
            tally.fail(f"status {status}")
        else:
            if not tally.latencies:
                tally.page = connection.answer.partition(b"\r\n\r\n")[2]
            tally.latencies.append(now - connection.due)
            tally.ended = now
        connection.due = -1
        connection.fresh = False
        if last:
            self._drop(connection)
        else:
            self._idle.append(connection)

    def _lost(self, connection: Connection, why: str) -> None:
        due = connection.due
        if due < 0:
            self._idle.remove(connection)
        elif not connection.fresh and not connection.answer:
            # A kept connection may be closed just when it is used again: no server's fault.
            self._again.append(due)
        else:
            self.tally.fail(why)
        self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        del self._all[connection.socket.fileno()]
        connection.socket.close()
