from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.judging.deltas import Deltas
from countci.judging.rule import Decision, decide
from countci.model import Status, Wanted

LIMIT = 0.03
SLOWER = (0.05,) * 10
NEAR = (0.0309,) * 10
EQUAL = (-0.001, 0.001) * 5
LIFTED = (0.02,) * 10


def said(
    pairs: Sequence[float], confirming: Sequence[float] = (), control: Sequence[float] = ()
) -> Decision:
    deltas = Deltas(pairs=tuple(pairs), confirming=tuple(confirming), control=tuple(control))
    return decide(deltas, LIMIT)


def spread(middle: float, count: int, width: float = 0.04) -> tuple[float, ...]:
    """Return deltas around `middle`, half of them far below and half far above."""
    return tuple(middle + (width if i % 2 else -width) for i in range(count))


@pytest.mark.parametrize(("pairs", "more"), [(0, 10), (6, 4), (11, 9), (25, 5), (39, 1)], ids=str)
def test_between_looks_pairs_up_to_the_next_look_are_wanted(pairs: int, more: int) -> None:
    assert said(spread(0.03, pairs)).wanted == Wanted(block="pairs", more=more)


@pytest.mark.parametrize("pairs", [10, 20, 30])
def test_a_look_that_cannot_decide_wants_ten_more(pairs: int) -> None:
    assert said(spread(0.03, pairs)).wanted == Wanted(block="pairs", more=10)


def test_ten_pairs_that_lie_below_the_limit_pass_at_once() -> None:
    assert said(EQUAL) == Decision(status=Status.PASS)


def test_a_median_above_the_limit_does_not_fail_early_while_the_interval_reaches_below() -> None:
    assert said((0.02, 0.02, *(0.05,) * 8)).wanted == Wanted(block="pairs", more=10)


def test_ten_pairs_above_the_limit_want_ten_fresh_ones() -> None:
    assert said(SLOWER).wanted == Wanted(block="confirming", more=10)
    assert said(SLOWER, SLOWER[:4]).wanted == Wanted(block="confirming", more=6)


def test_forty_pairs_that_fail_want_forty_fresh_ones() -> None:
    assert said((0.01, 0.04, 0.04, 0.04) * 10).wanted == Wanted(block="confirming", more=40)


def test_forty_pairs_with_the_median_below_the_limit_pass() -> None:
    assert said(spread(0.029, 40)) == Decision(status=Status.PASS)


def test_forty_pairs_with_a_median_above_and_zero_inside_are_unsettled() -> None:
    assert said(spread(0.031, 40)) == Decision(status=Status.UNSETTLED, code="undecided")


def test_a_confirmed_failure_wants_the_null_control() -> None:
    assert said(SLOWER, SLOWER).wanted == Wanted(block="control", more=10)


def test_a_confirmed_failure_with_a_quiet_control_fails() -> None:
    assert said(SLOWER, SLOWER, EQUAL) == Decision(status=Status.FAIL)


def test_fresh_pairs_that_pull_the_pooled_median_below_the_limit_pass() -> None:
    found = said(SLOWER, (0.0,) * 10)

    assert found == Decision(status=Status.PASS, code="unconfirmed")


def test_fresh_pairs_below_half_of_the_limit_do_not_confirm() -> None:
    found = said((0.05,) * 10, (*(0.014,) * 6, *(0.09,) * 4))

    assert found == Decision(status=Status.UNSETTLED, code="unconfirmed")


@pytest.mark.parametrize("control", [LIFTED, (0.001,) * 10, (-0.001,) * 10, spread(0.016, 10)])
def test_a_restless_control_is_looked_at_again(control: tuple[float, ...]) -> None:
    assert said(NEAR, NEAR, control).wanted == Wanted(block="control", more=10)


def test_a_control_that_calms_down_lets_the_failure_stand() -> None:
    assert said(NEAR, NEAR, LIFTED + (-0.02,) * 10) == Decision(status=Status.FAIL)


def test_a_control_that_stays_restless_takes_the_failure_back() -> None:
    found = said(NEAR, NEAR, LIFTED * 4)

    assert found == Decision(status=Status.UNSETTLED, code="noisy")


@pytest.mark.parametrize("sign", [1, -1])
def test_a_change_beyond_limit_and_control_together_fails_whatever_the_control(sign: int) -> None:
    control = tuple(sign * each for each in LIFTED)

    assert said((0.051,) * 10, (0.051,) * 10, control).code == "beyond-noise"
    assert said((0.049,) * 10, (0.049,) * 10, control).wanted == Wanted(block="control", more=10)


def test_the_low_end_of_the_change_must_be_beyond_not_its_median() -> None:
    pairs = (*(0.04,) * 4, *(0.2,) * 6)

    assert said(pairs, pairs, LIFTED * 4).code == "noisy"


@given(
    st.lists(st.floats(-0.5, 0.5), max_size=90),
    st.lists(st.floats(-0.5, 0.5), max_size=90),
    st.lists(st.floats(-0.5, 0.5), max_size=50),
)
def test_whatever_the_data_either_more_is_wanted_or_a_verdict_stands(
    pairs: list[float], confirming: list[float], control: list[float]
) -> None:
    found = said(pairs, confirming, control)

    assert found.status is not Status.ERROR
    if found.wanted is not None:
        assert found.status is Status.UNSETTLED
        assert found.wanted.more >= 1
    if found.status is Status.FAIL:
        assert len(confirming) >= len(pairs) >= 10 <= len(control)
