"""What a run shows on standard error while it works: one live line, or plain lines in CI."""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Protocol

from countci.cli.pace import Clock, Pace
from countci.progress import Progress
from countci.reporting.clean import one_line
from countci.reporting.layout import cut

_EVERY = 10.0
"""Seconds between two plain lines inside a step: a log is read afterwards, from the top."""
_TICK = 1.0
"""Seconds after which the live line is drawn again, so that a long build is seen to live."""
_CLEAR = "\r\x1b[K"


class Stream(Protocol):
    """Where it is shown: standard error."""

    def write(self, text: str, /) -> object: ...  # noqa: D102
    def flush(self) -> object: ...  # noqa: D102
    def isatty(self) -> bool: ...  # noqa: D102


@contextlib.contextmanager
def shown(
    stream: Stream, env: Mapping[str, str], clock: Clock = time.monotonic
) -> Iterator[Progress]:
    """Give a listener that shows on `stream` what it hears; nothing stays of a live line.

    A live line needs a terminal that can move its cursor (`TERM` is not `dumb`) and no `CI`;
    anything else gets plain lines.
    """
    if not stream.isatty() or env.get("CI") or env.get("TERM", "dumb") == "dumb":
        yield Plain(stream, clock)
        return
    live = Live(stream, clock, colour=not env.get("NO_COLOR"))
    stop = threading.Event()
    ticker = threading.Thread(target=_tick, args=(live, stop), daemon=True)
    ticker.start()
    try:
        yield live
    finally:
        stop.set()
        ticker.join()
        live.clear()


class Plain:
    """A line a step, and one now and then inside a long one."""

    def __init__(self, stream: Stream, clock: Clock) -> None:
        """Begin with nothing shown."""
        self._stream = stream
        self._clock = clock
        self._start = self._shown = clock()
        self._pace = Pace(clock)
        self._lock = threading.Lock()

    def step(self, name: str) -> None:
        """Show that a step begins."""
        with self._lock:
            self._pace = Pace(self._clock, one_line(name))
            self._show(one_line(name))

    def advance(self, what: str, done: int, of: int | None = None) -> None:
        """Show it when the last line is long ago."""
        with self._lock:
            self._pace.advance(one_line(what), done, of)
            if self._clock() - self._shown >= _EVERY:
                self._show(f"  {self._pace.text}")

    def _show(self, text: str) -> None:
        self._shown = self._clock()
        _write(self._stream, f"{_passed(self._shown - self._start)}  {text}\n")


class Live:
    """One line that is drawn again and again, never longer than the terminal is wide."""

    def __init__(self, stream: Stream, clock: Clock, *, colour: bool) -> None:
        """Begin with nothing shown."""
        self._stream = stream
        self._clock = clock
        self._colour = colour
        self._start = clock()
        self._name = ""
        self._pace = Pace(clock)
        self._lock = threading.Lock()  # whoever works speaks, and the ticker draws too

    def step(self, name: str) -> None:
        """Show that a step begins."""
        with self._lock:
            self._name = one_line(name)
            self._pace = Pace(self._clock, self._name)
            self._draw()

    def advance(self, what: str, done: int, of: int | None = None) -> None:
        """Show how far it is."""
        with self._lock:
            self._pace.advance(one_line(what), done, of)
            self._draw()

    def tick(self) -> None:
        """Show the time that passed."""
        with self._lock:
            self._draw()

    def clear(self) -> None:
        """Leave an empty line."""
        with self._lock:
            _write(self._stream, _CLEAR)

    def _draw(self) -> None:
        if not self._name:
            return
        width = shutil.get_terminal_size((80, 24)).columns - 1
        passed = _passed(self._clock() - self._start)
        rest = f"  {self._pace.text}" if self._pace.text else ""
        text = cut(f"{passed}  {self._name}{rest}", width)
        head = f"{passed}  {self._name}"
        if self._colour and text.startswith(head):
            text = f"{passed}  \x1b[1m{self._name}\x1b[0m{text[len(head) :]}"
        _write(self._stream, _CLEAR + text)


def _tick(live: Live, stop: threading.Event) -> None:
    while not stop.wait(_TICK):
        live.tick()


def _passed(seconds: float) -> str:
    """Return minutes and seconds in a width that stays: `03:20`."""
    return f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"


def _write(stream: Stream, text: str) -> None:
    # Nobody reading along is no reason to stop measuring.
    with contextlib.suppress(OSError, ValueError):
        stream.write(text)
        stream.flush()
