from __future__ import annotations

from array import array
from itertools import pairwise
from statistics import mean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.inside.load_schedule import draw, percentiles

SECOND = 1_000_000_000
WINDOW = 10_000_000


def counts(schedule: array[int]) -> list[int]:
    """Return how many arrivals each window of 10 ms has."""
    found = [0] * (schedule[-1] // WINDOW)
    for at in schedule:
        if at // WINDOW < len(found):
            found[at // WINDOW] += 1
    return found


@pytest.mark.parametrize("rate", [500, 5_000])
def test_poisson_arrivals_vary_as_much_as_their_mean(rate: int) -> None:
    windows = counts(draw("poisson", rate, rate * 100, seed=1))

    assert 0.9 < variance(windows) / mean(windows) < 1.1
    assert mean(windows) == pytest.approx(rate / 100, rel=0.02)


def test_constant_arrivals_hardly_vary() -> None:
    windows = counts(draw("constant", 5_000, 50_000, seed=1))

    assert set(windows) == {50}


def test_constant_arrivals_do_not_drift_by_rounding() -> None:
    schedule = draw("constant", 3_000, 3_001, seed=0)

    assert schedule[-1] == SECOND
    assert {after - before for before, after in pairwise(schedule)} == {333_333, 333_334}


@given(seed=st.integers(0, 2**31), arrivals=st.sampled_from(["poisson", "constant"]))
def test_one_seed_gives_one_schedule_by_rising_time(seed: int, arrivals: str) -> None:
    schedule = draw(arrivals, 1_000, 50, seed)

    assert schedule == draw(arrivals, 1_000, 50, seed)
    assert schedule[0] == 0
    assert list(schedule) == sorted(schedule)


def test_other_seeds_give_other_schedules() -> None:
    assert draw("poisson", 1_000, 50, 1) != draw("poisson", 1_000, 50, 2)


def test_percentiles_are_exact() -> None:
    found = percentiles(array("q", [number * SECOND for number in range(100, 0, -1)]))

    assert found == {"p50": 50.0, "p75": 75.0, "p90": 90.0, "p99": 99.0, "max": 100.0}


def test_percentiles_of_one_time_are_that_time_and_of_none_nothing() -> None:
    assert set(percentiles(array("q", [SECOND])).values()) == {1.0}
    assert percentiles(array("q")) == {}
