"""Collects a suite once, keeps what is a benchmark, and has each counted in a forked child."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from .benchmark import Meter
from .children import Failed, Forks
from .chosen import Chosen
from .journal import Journal, line_of
from .roots import is_asked

_NAMES: Final = frozenset({"benchmark", "codspeed_benchmark"})
_COROUTINE: Final = 0x80


class Suite:
    """The plugin that replaces pytest's own loop over tests."""

    def __init__(
        self, meter: Meter, journal: Journal, forks: Forks, chosen: Callable[[], Chosen]
    ) -> None:
        """Keep what counts, what is written, what forks, and what tells the tests."""
        self._meter = meter
        self._journal = journal
        self._forks = forks
        self._chosen = chosen
        self._others: list[pytest.Item] = []
        self.tests = 0

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that can't be collected: its tests would be gone without a word."""
        if report.failed:
            self._journal.failed(report.nodeid, str(report.longrepr))

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Skip what lies beside the tests: pytest looks into it, and it would count as read."""
        if collection_path.name == ".git" or not is_asked(collection_path, config):
            return True
        return None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep what is a benchmark, and asked for."""
        chosen = self._chosen()
        kept = [item for item in items if _is_benchmark(item) and chosen.has(item.nodeid)]
        # Kept alive: the memory that they leave would be where a chosen test finds its own.
        self._others = [item for item in items if item not in kept]
        config.hook.pytest_deselected(items=self._others)
        items[:] = kept

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        """Ask the body of a test that has a marker and no fixture."""
        if _has_fixture(pyfuncitem):
            yield
            return
        body = pyfuncitem.obj
        if getattr(getattr(body, "__code__", None), "co_flags", 0) & _COROUTINE:
            pytest.fail("countci can't count the body of an async test; use the fixture in it")
        pyfuncitem.obj = partial(_asked, self._meter, body)
        yield
        pyfuncitem.obj = body

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Count every test."""
        if session.config.option.collectonly:
            return None
        self.tests = len(session.items)
        gc.collect()
        gc.freeze()  # so that no collection in a child touches what all of them share
        if threading.active_count() > 1:
            note = "the suite keeps threads alive: all of its tests ran in one process, in order"
            self._in_order(session.items, None, [note])
            return True
        failed = self._forks.each(session.items, self._alone)
        for level, word in ((pytest.Class, "class"), (pytest.Module, "module")):
            failed = self._forks.groups(_groups(session.items, failed, level), self._grouped(word))
        return True

    def _alone(self, item: pytest.Item) -> Failed:
        return self._in_order([item], None, [])

    def _grouped(self, word: str) -> Callable[[Sequence[pytest.Item], Failed], Failed]:
        note = f"it fails alone: it depends on the tests before it, and was counted in its {word}"
        return partial(self._in_order, notes=[note])

    def _in_order(
        self, items: Sequence[pytest.Item], wanted: Failed | None, notes: Sequence[str]
    ) -> Failed:
        """Run the tests, count the wanted ones (None: all), and return which of those failed."""
        failed = set()
        for item, following in zip(items, [*items[1:], None], strict=True):
            counts = wanted is None or item.nodeid in wanted
            self._meter.begin(item.nodeid if counts else None)
            outcome = _run(item, following)
            if not counts:
                continue
            if outcome[0] == "failed":
                failed.add(item.nodeid)
            if outcome[0] != "failed" or wanted is None:
                counted, how = self._meter.counted, self._meter.how
                line = line_of(item.nodeid, outcome, counted, how, notes)
                self._journal.write(line | {"answer": self._meter.answer})
        return failed


class _Reports:
    """The plugin that listens to one test."""

    def __init__(self) -> None:
        self.found: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.found.append(report)


def _run(item: pytest.Item, following: pytest.Item | None) -> tuple[str, str]:
    """Return the outcome of a test, and why it isn't `passed`."""
    reports = _Reports()
    manager = item.config.pluginmanager
    manager.register(reports)
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    finally:
        manager.unregister(reports)
    for word in ("failed", "skipped"):
        for report in reports.found:
            if report.outcome == word:
                return word, _why(report)
    return "passed", ""


def _why(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):  # file, line, reason of a skip
        return report.longrepr[2]
    return report.longreprtext


def _asked(meter: Meter, body: Callable[..., Any], **arguments: Any) -> None:  # noqa: ANN401
    meter.ask(partial(body, **arguments) if arguments else body, "marker")


def _has_fixture(item: pytest.Item) -> bool:
    return not _NAMES.isdisjoint(getattr(item, "fixturenames", ()))


def _is_benchmark(item: pytest.Item) -> bool:
    return _has_fixture(item) or any(item.get_closest_marker(name) for name in _NAMES)


def _groups(
    items: Sequence[pytest.Item], failed: Failed, level: type[pytest.Collector]
) -> list[tuple[list[pytest.Item], Failed]]:
    """Return the groups of that level with a failed test in them that isn't the first."""
    groups: dict[pytest.Collector, list[pytest.Item]] = {}
    for item in items:
        parent = item.getparent(level)
        if parent is not None:
            groups.setdefault(parent, []).append(item)
    found = []
    for group in groups.values():
        later = failed & {item.nodeid for item in group[1:]}
        if later:
            found.append((group, later))
    return found
