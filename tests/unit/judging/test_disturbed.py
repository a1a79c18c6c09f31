from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from countci.judging.disturbed import disturbed
from tests.unit.judging.samples import SHARES_AFTER, SHARES_BEFORE


def test_the_two_runs_that_a_published_table_marks_are_marked() -> None:
    assert disturbed(SHARES_AFTER) == (False, False, False, False, True, True)


def test_a_slow_decline_is_not_marked() -> None:
    assert not any(disturbed(SHARES_BEFORE))


def test_a_tiny_fall_among_equal_runs_is_not_marked() -> None:
    assert not any(disturbed([1.0] * 9 + [0.97]))
    assert disturbed([1.0] * 9 + [0.95])[-1]


def test_a_run_that_got_more_is_not_marked() -> None:
    assert not any(disturbed([0.5] * 9 + [1.0]))


def test_no_runs_have_no_marks() -> None:
    assert disturbed([]) == ()


@given(st.lists(st.floats(0, 4), min_size=1, max_size=40))
def test_never_more_than_half_of_the_runs_are_marked(shares: list[float]) -> None:
    assert sum(disturbed(shares)) * 2 <= len(shares)
