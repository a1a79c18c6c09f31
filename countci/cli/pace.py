"""How far a step is, and how long its rest may take."""

from __future__ import annotations

from collections.abc import Callable

from countci.units import Seconds, show_seconds

Clock = Callable[[], float]
"""Returns seconds since some moment."""


class Pace:
    """How fast the parts of a step go by, and so how long the rest may take."""

    def __init__(self, clock: Clock, step: str = "") -> None:
        """Begin the step of that name."""
        self._clock = clock
        self._step = step
        self._done = 0
        self._of: int | None = None
        self._what = ""
        self._begin()

    def _begin(self) -> None:
        self._first = self._done
        self._start = self._clock()

    def advance(self, what: str, done: int, of: int | None) -> None:
        """Note that `done` of `of` parts are over; what counts anew is another count."""
        other = bool(self._what) and what != self._what and of != self._of
        anew = done < self._done or other
        self._what, self._done, self._of = what, done, of
        if anew:
            self._begin()

    @property
    def text(self) -> str:
        """Such as `bank/field 12/40, about 8.2 s left`; empty before anything was heard."""
        what = "" if self._step.endswith(self._what) else f"{self._what} "
        if self._of is None:
            return f"{what}{self._done} done" if self._done else what.rstrip()
        left = self._left()
        rest = f", about {show_seconds(left)} left" if left else ""
        return f"{what}{self._done}/{self._of}{rest}"

    def _left(self) -> Seconds | None:
        passed = self._done - self._first
        if passed <= 0 or self._of is None or self._done >= self._of:
            return None
        return Seconds((self._clock() - self._start) / passed * (self._of - self._done))
