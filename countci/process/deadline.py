"""When everything has to be over: a time limit of a whole run, on top of each program's own."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from countci.errors import MeasureError
from countci.units import Seconds, show_seconds


class Deadline:
    """The end of what runs now, if it has one. All threads share it.

    There is one of it, which isn't handed down: whatever starts a program has to ask it, at the
    bottom of every folder, and a call that was not given it would run on without a word.
    """

    def __init__(self) -> None:
        """Begin without an end."""
        self._end: float | None = None
        self._limit = Seconds(0.0)
        self.cut = False
        """Something was ended, or not begun, because of it."""

    @contextlib.contextmanager
    def within(self, limit: Seconds | None) -> Iterator[Deadline]:
        """Let programs run only until `limit` is over; None is no limit. Yields itself."""
        before = self._end, self._limit
        self.cut = False
        if limit is not None:
            self._end, self._limit = time.monotonic() + limit, limit
        try:
            yield self
        finally:
            self._end, self._limit = before

    def cap(self, timeout: Seconds | None, *, where: str) -> Seconds | None:
        """Return how long a program with that time limit of its own may run now.

        Raises:
            MeasureError: nothing may be started any more.
        """
        if self._end is None:
            return timeout
        self.check(where=where)
        left = self.left() or Seconds(0.0)
        return left if timeout is None else min(timeout, left)

    def left(self) -> Seconds | None:
        """Return how long it is until the end; None where there is none."""
        if self._end is None:
            return None
        return Seconds(max(self._end - time.monotonic(), 0.0))

    @property
    def over(self) -> bool:
        """Whether the end has come."""
        return self.left() == 0.0

    def check(self, *, where: str) -> None:
        """Raise a MeasureError when the end has come.

        Args:
            where: what was not done because of it.
        """
        if self.over:
            self.cut = True
            raise self.error(where)

    def error(self, where: str) -> MeasureError:
        """Return what is said of something that wasn't done because of it."""
        return MeasureError(
            f"not measured within {show_seconds(self._limit)}",
            where=where,
            detail="--max-time gives more time; --shard shares the queries out",
        )


deadline = Deadline()
"""The one of this countci."""
within = deadline.within
time_left = deadline.left
