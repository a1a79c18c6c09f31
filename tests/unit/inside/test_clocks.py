from __future__ import annotations

import time

import pytest

from countci.inside import clocks


def test_what_was_waited_is_within_what_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, wall, looks = 0.0, 100.0, 0

    def looked() -> float:
        """Another program runs whenever the kernel is asked, the second time longer."""
        nonlocal wall, waited, looks
        looks += 1
        wall, waited = wall + looks, waited + looks
        return waited

    monkeypatch.setattr(clocks, "_waited", looked)
    monkeypatch.setattr(time, "perf_counter", lambda: wall)
    passed = clocks.since(clocks.now())

    assert 0 < passed.wait <= passed.wall
