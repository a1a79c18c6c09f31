"""How many asks one timed run holds: enough that the run is not mostly start-up, or noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from countci.errors import MeasureError
from countci.units import Seconds, show_seconds

SHORTEST = Seconds(0.05)
"""Below it the scheduler's ticks and the clock's own cost show."""
_START_UP = 10
"""A run is at least this many times as long as its start-up."""
_MARGIN = 1.1
"""So that a run that is found long enough still is when the machine is faster."""
_GROWTH = 4
_MOST = 4**14
"""More asks than this in 50 ms is no work at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One run of base that was tried."""

    n: int
    seconds: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the trials so far say."""

    n: int
    """How many asks to try next, or, when `final`, to settle for."""
    final: bool


def find(run: Callable[[int], Seconds], *, repeats: bool, longest: Seconds) -> int:
    """Return how many asks each timed run of both sides holds, found by running base.

    Args:
        run: runs base once with so many asks, and returns its time.
        repeats: whether the command takes `{n}`; without it the answer is 1, and nothing runs.
        longest: no run is chosen that would take longer, even if start-up is more than a tenth.

    Raises:
        MeasureError: the time doesn't grow with the number of asks.
    """
    if not repeats:
        return 1
    run(1)  # the first run also reads the program from disk
    trials: list[Trial] = []
    while not (choice := choose(trials, longest)).final:
        trials.append(Trial(n=choice.n, seconds=run(choice.n)))
    return choice.n


def choose(trials: Sequence[Trial], longest: Seconds) -> Choice:
    """Return the next number of asks to try, or the one that is right.

    Raises:
        MeasureError: the last trial has more asks than can be work, and still is no longer.
    """
    if not trials:
        return Choice(n=1, final=False)
    first, last = trials[0], trials[-1]
    if last.seconds * 2 > longest:
        return Choice(n=last.n, final=True)
    if len(trials) == 1:
        return Choice(n=2, final=False)
    slope = (last.seconds - first.seconds) / (last.n - first.n)
    # Two times that hardly differ tell no slope yet: growing is safer than dividing by noise.
    clear = last.seconds >= 1.2 * first.seconds
    start_up = max(first.seconds - slope, 0.0) if clear else first.seconds
    target = max(SHORTEST, _START_UP * start_up)
    if last.seconds >= target:
        return Choice(n=last.n, final=True)
    if last.n >= _MOST:
        raise _not_growing(first, last)
    guess = last.n * _GROWTH
    if clear:
        most = math.floor((min(target * _MARGIN, longest) - start_up) / slope)
        guess = min(max(most, last.n + 1), last.n * _GROWTH**2)
    return Choice(n=guess, final=False)


def _not_growing(first: Trial, last: Trial) -> MeasureError:
    return MeasureError(
        f"{last.n:,} asks take {show_seconds(last.seconds)}, one takes "
        f"{show_seconds(first.seconds)}",
        detail="the command must do its work {n} times; write it without {n} if it can't",
    )
