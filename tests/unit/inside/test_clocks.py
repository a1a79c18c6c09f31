from __future__ import annotations

import time

import pytest

from countci.inside import clocks


def test_what_was_waited_is_within_what_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = 0.0
    wall = 100.0

    def looked() -> float:
        """Another program has the processor for two seconds whenever the kernel is asked."""
        nonlocal wall, waited
        wall, waited = wall + 2.0, waited + 2.0
        return waited

    monkeypatch.setattr(clocks, "_waited", looked)
    monkeypatch.setattr(time, "perf_counter", lambda: wall)
    passed = clocks.since(clocks.now())

    assert 0 < passed.wait <= passed.wall
