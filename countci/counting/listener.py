"""Takes down what valgrind says about a whole family of processes.

A pipe with a name: a log file is emptied by each exec, and an open file that is handed down
is closed by programs that close what they don't know (Python's subprocess does). Every
process opens the pipe anew.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_CHUNK = 2**20
_TAIL = 8192


@dataclass(slots=True)
class Log:
    """What was said. Complete once its `listening` has ended."""

    limit: int
    """Bytes that are kept from the start."""
    data: bytearray = field(default_factory=bytearray)
    tail: bytes = b""
    """The end, when there was more."""
    cut: bool = False

    def add(self, data: bytes) -> None:
        """Take down `data`, or only its end once the limit is reached."""
        room = self.limit - len(self.data)
        self.data += data[:room] if room > 0 else b""
        if len(data) > room:
            self.cut = True
            self.tail = (self.tail + data)[-_TAIL:]

    @property
    def last(self) -> str:
        """The end of it, as text."""
        return (self.tail or bytes(self.data[-_TAIL:])).decode(errors="replace")


@contextmanager
def listening(pipe: Path, limit: int) -> Iterator[Log]:
    """Make the pipe, and take down all that is written to it until the block ends."""
    os.mkfifo(pipe, 0o600)
    # Open for writing too: with no writer left, it would read as ended.
    number = os.open(pipe, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    over = os.eventfd(0, os.EFD_CLOEXEC)
    log = Log(limit)
    thread = threading.Thread(target=_take_down, args=(number, log, over), name=f"log {pipe}")
    thread.start()
    try:
        yield log
    finally:
        os.eventfd_write(over, 1)
        thread.join()
        os.close(number)
        os.close(over)


def _take_down(number: int, log: Log, over: int) -> None:
    ready = select.poll()
    ready.register(number, select.POLLIN)
    ready.register(over, select.POLLIN)
    while True:
        waiting = {ready_number for ready_number, _ in ready.poll()}
        if number in waiting:  # first, so that nothing is left in the pipe
            log.add(os.read(number, _CHUNK))
        elif over in waiting:
            return
