from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.judging.statistics import (
    Interval,
    geometric_mean,
    interval,
    median,
    median_of_deltas,
    rank,
    speed_up,
)
from tests.unit.judging.samples import AFTER, BEFORE

finite = st.floats(-1e6, 1e6)


def below(n: int, k: int) -> Fraction:
    """Return the chance that fewer than k of n throws of a coin are heads."""
    return sum((Fraction(math.comb(n, i), 2**n) for i in range(k)), Fraction(0))


@pytest.mark.parametrize(
    ("n", "critical"),
    [(6, 0), (8, 0), (9, 1), (10, 1), (15, 3), (20, 5), (25, 7), (30, 9), (40, 13), (100, 39)],
)
def test_the_rank_agrees_with_the_table_of_the_sign_test(n: int, critical: int) -> None:
    assert rank(n) == critical + 1


@pytest.mark.parametrize("n", range(200))
def test_the_rank_is_the_largest_that_is_sure_enough(n: int) -> None:
    k = rank(n)

    assert below(n, k) <= Fraction(25, 1000) < below(n, k + 1)


def test_the_rank_counts_every_series_of_ten_coins() -> None:
    wrong = sum(sum(coins) < rank(10) for coins in product((0, 1), repeat=10))

    assert wrong == 11  # of 1,024: no heads once, one head ten times


def test_a_very_long_series_has_a_rank() -> None:
    assert rank(5000) == 2431  # 2500 - 1.96 * sqrt(5000) / 2, and the half step


@pytest.mark.parametrize("n", range(6))
def test_fewer_than_six_values_tell_nothing(n: int) -> None:
    assert interval([1.0] * n) == Interval(low=-math.inf, high=math.inf)


def test_the_interval_of_ten_values_leaves_out_one_at_each_end() -> None:
    assert interval([5, 3, 8, 1, 9, 2, 10, 7, 4, 6]) == Interval(low=2, high=9)


@given(st.lists(finite, min_size=6, max_size=60), st.randoms())
def test_the_interval_holds_the_median_in_any_order(values: list[float], shuffle: object) -> None:
    found = interval(values)
    shuffle.shuffle(values)  # type: ignore[attr-defined]

    assert found.low <= median(values) <= found.high
    assert interval(values) == found


@pytest.mark.parametrize(
    ("low", "high", "holds"), [(-1, 1, True), (0, 1, True), (-1, 0, True), (1, 2, False)]
)
def test_an_interval_holds_zero_up_to_its_ends(low: float, high: float, *, holds: bool) -> None:
    assert Interval(low=low, high=high).holds_zero is holds


def test_the_median_of_an_even_number_is_between_the_middle_two() -> None:
    assert median([4, 1, 3, 2]) == 2.5
    assert median([4, 1, 3]) == 3


def test_a_published_table_gives_its_published_medians() -> None:
    assert (median(BEFORE), median(AFTER)) == (44_526.5, 45_043)
    assert median(AFTER) / median(BEFORE) - 1 == pytest.approx(0.0116, abs=5e-5)
    assert median_of_deltas(BEFORE, AFTER) == pytest.approx(-0.0106, abs=5e-5)


def test_without_its_marked_pairs_it_gives_the_other_published_ones() -> None:
    assert median(AFTER[:4]) / median(BEFORE[:4]) - 1 == pytest.approx(0.0086, abs=5e-5)
    assert median_of_deltas(BEFORE[:4], AFTER[:4]) == pytest.approx(0.0056, abs=5e-5)


def test_the_geometric_mean_of_a_factor_and_its_inverse_is_one() -> None:
    assert geometric_mean([4, 0.25, 8, 0.125]) == pytest.approx(1)
    assert geometric_mean([2, 8]) == pytest.approx(4)


def test_faster_is_more_of_a_rate_and_less_of_a_time() -> None:
    assert speed_up(100, 124, better="higher") == pytest.approx(0.24)
    assert speed_up(100, 76, better="lower") == pytest.approx(0.24)
    assert speed_up(100, 124, better="lower") == pytest.approx(-0.24)
