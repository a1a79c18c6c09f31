"""At how many asks a query is counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting.points import WHOLE, Plan, choose, last_point, probe
from countci.units import Seconds


@pytest.mark.parametrize(
    ("ask", "points"),
    [
        (0, (10, 20)),
        (999_999, (10, 20)),
        (1_000_000, (2, 4, 8)),
        (100_000_000, (1, 2, 4)),
        (500_000_000, (1, 2)),
        (5_000_000_000, (1,)),
    ],
)
def test_a_longer_ask_is_counted_fewer_times(ask: int, points: tuple[int, ...]) -> None:
    assert choose(ask).points == points
    assert choose(ask).grows == (points == (10, 20))


@given(st.integers(0, 10**11))
def test_no_choice_counts_more_than_is_needed_for_its_slope(ask: int) -> None:
    assert ask * sum(choose(ask).points) < 15_000_000_000 or choose(ask) == WHOLE


@pytest.mark.parametrize(
    ("ask", "n"), [(14_909, 1362), (1, 20_020), (0, 20_020), (-5, 20_020), (999_999, 41)]
)
def test_the_last_point_lies_twenty_million_instructions_further(ask: int, n: int) -> None:
    assert last_point(choose(0), (100_000, 100_000 + 10 * ask)) == n


@given(st.integers(-100, 10**6))
def test_the_last_point_is_beyond_the_others_and_not_too_far(ask: int) -> None:
    assert 40 <= last_point(choose(0), (0, 10 * ask)) <= 20_020


def probed(ask: float, start_up: float = 0.1) -> tuple[Plan, list[int]]:
    """Return the plan for an ask of so many seconds, and what was run for it."""
    asked: list[int] = []

    def run_native(n: int) -> Seconds:
        asked.append(n)
        return Seconds(start_up + n * ask)

    return probe(run_native), asked


@pytest.mark.parametrize(
    ("ask", "points"), [(1e-6, (10, 20)), (1e-3, (2, 4, 8)), (0.02, (1, 2, 4)), (1.0, (1,))]
)
def test_native_runs_choose_whatever_starting_takes(ask: float, points: tuple[int, ...]) -> None:
    assert probed(ask)[0].points == points
    assert probed(ask, start_up=5.0)[0].points == points


def test_a_long_ask_is_run_three_times_only() -> None:
    assert probed(1.0)[1] == [1, 2]


def test_an_ask_of_nothing_ends() -> None:
    plan, asked = probed(0.0)

    assert plan.points == (10, 20)
    assert asked[-1] == 4096
