"""Traces one ask, after as many warm ones as there are before a count."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from .asks import COLLECTORS, Apart, Call, Counted, loop, quiet
from .clocks import Ask, ask_of
from .journal import Journal
from .plan import WARM_LONG, Plan
from .tracing import record
from .tracing_codes import told

_LONG: Final = 0.5
"""Seconds: to count the byte codes of a longer ask could take minutes."""


def trace(ask: Call, warm: int, settle: Call) -> dict[str, Any]:
    """Return the trace of the ask that follows `warm` others."""
    with quiet():
        loop(ask, warm, settle)
        byte_codes = ask_of(lambda: loop(ask, 1, settle)).cpu < _LONG
        events = record(ask, byte_codes=byte_codes)
    return told(events, byte_codes=byte_codes)


def trace_apart(prepare: Callable[[], Apart], warm: int, settle: Call) -> dict[str, Any]:
    """Return the same of an ask that is prepared and undone, which isn't traced."""
    with quiet():
        for _ in repeat(None, warm):
            _asked(prepare, settle)
        byte_codes = _asked(prepare, settle).cpu < _LONG
        ask, undo = prepare()
        events = record(ask, byte_codes=byte_codes)
        undo()
    return told(events, byte_codes=byte_codes)


def _asked(prepare: Callable[[], Apart], settle: Call) -> Ask:
    ask, undo = prepare()
    passed = ask_of(ask)
    undo()
    settle()
    return passed


class Tracing:
    """Traces the asks of a suite's tests, where an `Instrument` counts them."""

    def __init__(self, collector: str, path: Path) -> None:
        """Keep the name of COLLECTORS, and the file that gets `test`, `trace` of each, a line."""
        self._settle = COLLECTORS[collector]
        self._journal = Journal(path)

    def count(self, ask: Call, plan: Plan | None = None) -> Counted:
        """Trace asks that follow one another."""
        return self._written(trace(ask, _warm(plan), self._settle))

    def count_apart(self, prepare: Callable[[], Apart], plan: Plan | None = None) -> Counted:
        """Trace asks each of which is prepared."""
        return self._written(trace_apart(prepare, _warm(plan), self._settle))

    def _written(self, found: dict[str, Any]) -> Counted:
        # pytest's own variable: the id, and the phase in brackets.
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]  # noqa: TID251
        self._journal.write({"test": test, "trace": found})
        return Counted(Plan(0, (1, 2, 4)), (), None, Ask(0.0, 0.0, 0))


def _warm(plan: Plan | None) -> int:
    return plan.warm if plan else WARM_LONG
