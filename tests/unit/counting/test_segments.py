from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting.segments import points, segments
from countci.model import Counts, Point


@given(st.floats(min_value=1e-7, max_value=100))
def test_segments_are_doubling_powers_of_two(seconds: float) -> None:
    warm, (first, second, third) = segments(seconds)

    assert warm in {2, max(16, first)}
    assert first & (first - 1) == 0
    assert (second, third) == (2 * first, 4 * first)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (1.0, (2, (1, 2, 4))),
        (0.001, (16, (4, 8, 16))),
        (0.000_1, (32, (32, 64, 128))),
    ],
)
def test_a_shorter_ask_gets_longer_segments(
    seconds: float, expected: tuple[int, tuple[int, int, int]]
) -> None:
    assert segments(seconds) == expected


def test_a_snapshots_cost_is_in_each_point_and_not_in_the_slope() -> None:
    totals = {1: 100, 2: 100 + 11 + 4 * 50, 3: 311 + 11 + 8 * 50, 4: 722 + 11 + 16 * 50}

    found = points([(4, [(1, 2)]), (8, [(2, 3)]), (16, [(3, 4)])], None, totals.__getitem__)

    assert found[0] == Point(n=4, total=211)
    assert Counts(points=found).per_ask == 50
    assert Counts(points=found).bend == 0


def test_what_an_empty_pair_costs_is_subtracted_from_each_pair() -> None:
    totals = {1: 0, 2: 11, 3: 1000, 4: 1000 + 11 + 50, 5: 5000, 6: 5061, 7: 9000, 8: 9063}

    found = points([(1, [(3, 4)]), (2, [(5, 6), (7, 8)])], (1, 2), totals.__getitem__)

    assert found == (Point(n=1, total=50), Point(n=2, total=102))
