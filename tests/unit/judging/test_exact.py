from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.judging import exact
from countci.model import INSTRUCTIONS, Change, Limit, Measurement, Output, OutputWork, Status
from tests.unit.judging.measured import (
    NOTHING,
    PRINTED,
    again,
    counted,
    query,
    straight,
    with_again,
)

ONE_PERCENT = Limit(share=0.01)
OTHER = msgspec.structs.replace(PRINTED, digest="bb")


def judged(base: Measurement, head: Measurement, limit: Limit = ONE_PERCENT) -> Change:
    return exact.judge(base, head, INSTRUCTIONS, limit, query())


def codes(change: Change) -> list[str]:
    return [reason.code for reason in change.reasons]


@pytest.mark.parametrize(
    ("head", "share", "status"),
    [
        (100_000, 0.01, Status.PASS),
        (101_000, 0.01, Status.PASS),
        (101_001, 0.01, Status.FAIL),
        (103_000, 0.03, Status.PASS),
        (103_001, 0.03, Status.FAIL),
        (100_700, 0.7 / 100, Status.PASS),
        (100_000, 0.0, Status.PASS),
        (100_001, 0.0, Status.FAIL),
        (60_000, 0.01, Status.PASS),
    ],
)
def test_more_than_the_limit_fails_and_exactly_the_limit_passes(
    head: int, share: float, status: Status
) -> None:
    assert judged(straight(100_000), straight(head), Limit(share=share)).status is status


@given(st.integers(1, 10**15), st.integers(0, 10**12), st.integers(0, 10**12))
def test_equal_slopes_read_exactly_zero_whatever_the_start_up(
    per_ask: int, first: int, second: int
) -> None:
    assert judged(straight(per_ask, first), straight(per_ask, second)).delta == 0


def test_a_change_tells_both_sides_and_their_start_up() -> None:
    change = judged(straight(1000, 70), straight(1005, 50))

    assert (change.base, change.head) == (1000, 1005)
    assert change.delta == pytest.approx(0.005)
    assert (change.start_up_base, change.start_up_head) == (70, 50)
    assert change.reasons == ()


def test_start_up_is_not_judged() -> None:
    assert judged(straight(1000, 1000), straight(1000, 9000)).status is Status.PASS


def test_half_the_work_with_the_same_output_is_an_improvement() -> None:
    change = judged(straight(1000), straight(500))

    assert (change.status, change.delta) == (Status.PASS, -0.5)


@pytest.mark.parametrize(
    ("base", "head"), [(PRINTED, OTHER), (PRINTED, NOTHING), (NOTHING, NOTHING)]
)
def test_half_the_work_without_the_same_output_is_an_error(base: Output, head: Output) -> None:
    change = judged(straight(11_705, output=base), straight(42, output=head))

    assert change.status is Status.ERROR
    assert codes(change)[0] == "collapsed"
    assert "11,705" in change.reasons[0].text
    assert change.delta == pytest.approx(42 / 11_705 - 1)


def test_a_little_less_work_with_other_output_passes_and_names_it() -> None:
    change = judged(straight(1000), straight(501, output=OTHER))

    assert (change.status, codes(change)) == (Status.PASS, ["output-changed"])


def test_a_command_that_prints_what_it_measured_prints_something_else_each_time() -> None:
    asked = msgspec.structs.replace(query(), work=OutputWork(command="load"))
    base, head = straight(1000), straight(1000, output=OTHER)

    assert codes(exact.judge(base, head, INSTRUCTIONS, ONE_PERCENT, asked)) == []
    assert codes(judged(base, head)) == ["output-changed"]


@pytest.mark.parametrize(
    ("output", "status"), [(OTHER, Status.PASS), (NOTHING, Status.ERROR)], ids=["printed", "none"]
)
def test_half_the_work_of_such_a_command_is_an_improvement_while_it_prints(
    output: Output, status: Status
) -> None:
    asked = msgspec.structs.replace(query(), work=OutputWork(command="load"))

    change = exact.judge(
        straight(1000), straight(400, output=output), INSTRUCTIONS, ONE_PERCENT, asked
    )

    assert change.status is status


def test_output_of_different_numbers_of_asks_is_not_compared() -> None:
    head = counted((3, 300), (5, 500), output=OTHER)

    assert codes(judged(counted((2, 200), (4, 400)), head)) == ["other-points"]


@pytest.mark.parametrize(("base", "head"), [(0, 0), (0, 500), (500, 0), (-5, 500)])
def test_an_ask_that_costs_nothing_is_an_error_and_never_a_ratio(base: int, head: int) -> None:
    change = judged(straight(base), straight(head))

    assert (change.status, codes(change)) == (Status.ERROR, ["no-work"])
    assert change.delta is None or change.delta == -1


@pytest.mark.parametrize("slope", [0, -300])
@pytest.mark.parametrize("side", ["base", "head"])
def test_an_ask_that_costs_nothing_the_second_time_is_an_error(side: str, slope: int) -> None:
    twice = with_again(straight(100), again((4, 1000 + 4 * slope), (8, 1000 + 8 * slope)))
    sides = {"base": straight(100), "head": straight(100), side: twice}

    change = judged(sides["base"], sides["head"])

    assert (change.status, codes(change)) == (Status.ERROR, ["no-work"])
    assert f"counted again, an ask costs {slope:,} on {side}".replace("-", "−") in (
        change.reasons[0].text.replace("-", "−")
    )


def test_counts_of_another_fingerprint_are_not_compared() -> None:
    change = judged(straight(1000), straight(1000, machine="f2"))

    assert (change.status, codes(change)) == (Status.ERROR, ["fingerprint"])


def test_a_whole_process_says_that_start_up_is_in_it() -> None:
    change = judged(counted((1, 5000)), counted((1, 5000)))

    assert (change.status, codes(change)) == (Status.PASS, ["whole-process"])
    assert change.start_up_base is None


def test_a_whole_process_is_not_held_against_a_slope() -> None:
    change = judged(counted((1, 5000)), straight(5000))

    assert (change.status, codes(change)) == (Status.ERROR, ["not-comparable"])


def test_a_metric_that_one_side_lacks_is_an_error() -> None:
    bare = msgspec.structs.replace(straight(5), counts={})

    assert codes(judged(straight(5), bare)) == ["not-counted"]
    assert "on base" in judged(bare, straight(5)).reasons[0].text


@pytest.mark.parametrize(("more", "named"), [(10, False), (11, True), (-11, True), (2000, True)])
def test_counts_that_leave_the_line_by_a_thousandth_are_named_and_judged_all_the_same(
    more: int, *, named: bool
) -> None:
    # The last slope is 1,000; the first ten asks cost `more` beside the line.
    bent = counted((10, 10_000), (20, 20_000 + more), (40, 40_000 + more))
    change = judged(bent, bent)

    assert codes(change) == ["not-linear"] * named
    assert change.status is Status.PASS


def test_sides_that_leave_the_line_apart_are_each_named() -> None:
    first = counted((10, 10_000), (20, 20_100), (40, 40_100))
    second = counted((10, 10_000), (20, 20_200), (40, 40_200))

    texts = [reason.text for reason in judged(first, second).reasons]

    assert [text.partition(":")[0] for text in texts] == [
        "not linear on base",
        "not linear on head",
    ]


def test_counts_off_the_line_are_listed() -> None:
    bent = counted((10, 10_000), (20, 20_100), (40, 40_100))
    text = next(r.text for r in judged(straight(1000), bent).reasons if r.code == "not-linear")

    assert "on head" in text
    assert "+1.00" in text
    assert "n = 10: 10,000, n = 20: 20,100, n = 40: 40,100" in text
