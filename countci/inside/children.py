"""Forked children, each of which counts some tests and ends."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

import pytest

from .journal import Journal

Failed: TypeAlias = AbstractSet[str]
"""Ids of tests."""

_GOOD: Final = 0
_SOME_FAILED: Final = 3


class Forks:
    """Has work done in children, some of them at a time."""

    def __init__(self, journal: Journal, jobs: int, timeout: int) -> None:
        """Keep where a child that dies is noted, how many live at once, and for how long."""
        self._journal = journal
        self._jobs = max(1, jobs)
        self._timeout = timeout
        # Never emptied: what is freed in the order in which children end would give the next
        # ones their memory in another order each time.
        self._tests: dict[int, Failed] = {}
        self._living = 0
        self._failed: set[str] = set()

    def each(self, items: Sequence[pytest.Item], work: Callable[[pytest.Item], Failed]) -> Failed:
        """Do the work for each test in a child of its own; return which failed."""
        for item in items:
            self._fork(lambda item=item: work(item), {item.nodeid})  # type: ignore[misc]
        return self._end()

    def groups(
        self,
        groups: Sequence[tuple[Sequence[pytest.Item], Failed]],
        work: Callable[[Sequence[pytest.Item], Failed], Failed],
    ) -> Failed:
        """Do the work for each group in a child of its own; return which tests failed again."""
        for items, wanted in groups:
            self._fork(lambda items=items, wanted=wanted: work(items, wanted), wanted)  # type: ignore[misc]
        return self._end()

    def _fork(self, work: Callable[[], Failed], tests: Failed) -> None:
        while self._living >= self._jobs:
            self._reap()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            self._child(work)
        self._tests[pid] = tests
        self._living += 1

    def _child(self, work: Callable[[], Failed]) -> None:
        status = 1
        try:
            if self._timeout:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(self._timeout)
            status = _SOME_FAILED if work() else _GOOD
        except BaseException:  # noqa: BLE001 - pytest.exit, too, ends here
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(status)

    def _end(self) -> Failed:
        while self._living:
            self._reap()
        failed, self._failed = self._failed, set()
        return failed

    def _reap(self) -> None:
        pid, status = os.wait()
        tests = self._tests.get(pid)
        if tests is None:
            return  # a child of the suite's own
        self._living -= 1
        if status == _GOOD:
            return
        self._failed |= tests
        code = os.waitstatus_to_exitcode(status)
        if code != _SOME_FAILED:
            for test in sorted(tests):
                self._journal.failed(test, self._how_it_ended(code))

    def _how_it_ended(self, code: int) -> str:
        if code == -signal.SIGALRM and self._timeout:
            return f"still running after {self._timeout} s"
        if code < 0:
            return f"its process was killed by signal {-code} ({signal.Signals(-code).name})"
        return f"its process ended with exit status {code}; standard error may say why"
