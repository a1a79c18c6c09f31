from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from countci.judging import judge, wanted_counts, whole
from countci.model import (
    ALLOCATIONS,
    SYSCALLS,
    Again,
    Change,
    Counts,
    Identity,
    Limit,
    Measurement,
    Output,
    Point,
    Recorded,
    Recount,
    Status,
)
from tests.unit.judging.measured import PRINTED, compared, query, straight

OTHER = replace(PRINTED, digest="bb")
CALLS = SYSCALLS.name
ASKED = query(CALLS)
ONE_PERCENT = Limit(share=0.01)


def line(per_ask: float, start_up: int = 30) -> tuple[Point, ...]:
    return tuple(Point(n=n, total=round(start_up + n * per_ask)) for n in (1000, 2000))


def calls(per_ask: float, *again: float, metric: str = CALLS, start_up: int = 30) -> Measurement:
    """Return a measurement with so many calls an ask; and its further slopes."""
    more = tuple(Again(points=line(each, start_up)) for each in again)
    counts = Counts(points=line(per_ask, start_up), again=more)
    return replace(straight(10**6), counts={metric: counts})


def judged(base: Measurement, head: Measurement, limit: Limit = ONE_PERCENT) -> Change:
    return whole.judge(base, head, SYSCALLS, limit, query())


def codes(change: Change) -> list[str]:
    return [reason.code for reason in change.reasons]


@pytest.mark.parametrize(
    ("base", "head", "status", "delta"),
    [
        (0, 0, Status.PASS, 0),
        (0, 0.9, Status.PASS, 0),
        (0, 1, Status.FAIL, None),
        (3, 0, Status.PASS, -1),
        (3, 4, Status.FAIL, 1 / 3),
        (3, 3.9, Status.PASS, 0),
        (100, 101, Status.PASS, 0.01),
        (100, 102, Status.FAIL, 0.02),
        (1000, 1000.999, Status.PASS, 0),
        (0.5, 1.5, Status.FAIL, 2),
    ],
)
def test_less_than_one_per_ask_is_no_change_and_a_whole_one_is(
    base: float, head: float, status: Status, delta: float | None
) -> None:
    change = judged(calls(base), calls(head))

    assert change.status is status
    assert change.delta == (None if delta is None else pytest.approx(delta))
    assert (change.base, change.head) == (base, head)


def test_a_fraction_that_is_no_change_is_told_as_it_was_counted() -> None:
    change = judged(calls(2), calls(2.5))

    assert codes(change) == ["less-than-one"]
    assert "2 → 2.5 per ask" in change.reasons[0].text
    assert codes(judged(calls(2), calls(2))) == []


def test_the_first_call_of_an_ask_is_named() -> None:
    change = judged(calls(0), calls(2))

    assert codes(change) == ["none-on-base"]
    assert change.reasons[0].text == "base has no system calls in an ask, head has"


def test_start_up_is_shown_and_not_judged() -> None:
    change = judged(calls(2, start_up=30), calls(2, start_up=900))

    assert (change.status, change.start_up_base, change.start_up_head) == (Status.PASS, 30, 900)


@pytest.mark.parametrize(
    ("limit", "head", "status"),
    [
        (Limit(form="amount", amount=8), 8, Status.PASS),
        (Limit(form="amount", amount=8), 9, Status.FAIL),
        (Limit(form="amount", amount=8), 3, Status.PASS),
        (Limit(form="constant"), 4.5, Status.PASS),
        (Limit(form="constant"), 5, Status.FAIL),
        (Limit(form="constant"), 3, Status.FAIL),
        (Limit(form="ratio", share=0.5), 6, Status.PASS),
        (Limit(form="ratio", share=0.5), 7, Status.FAIL),
    ],
)
def test_every_form_of_limit_holds_for_counts(limit: Limit, head: float, status: Status) -> None:
    assert judged(calls(4), calls(head), limit).status is status


def test_what_would_fail_is_counted_again_on_both_sides_and_nothing_else_is() -> None:
    points = (1000, 2000)

    assert wanted_counts(ASKED, calls(4), calls(4)) == ()
    assert wanted_counts(ASKED, calls(4), calls(2)) == ()
    assert wanted_counts(ASKED, calls(4), calls(6)) == (
        Recount(side="head", points=points, metric=CALLS),
        Recount(side="base", points=points, metric=CALLS),
    )
    assert wanted_counts(ASKED, calls(4, 4), calls(6, 6)) == ()


def test_a_side_that_differs_from_itself_is_counted_up_to_five_times() -> None:
    wavering = [6, 7, 6.5, 8, 6]
    for known in range(2, 5):
        head = calls(*wavering[:known])
        (wanted,) = wanted_counts(ASKED, calls(4, 4), head)

        assert (wanted.side, wanted.metric) == ("head", CALLS)
    assert wanted_counts(ASKED, calls(4, 4), calls(*wavering)) == ()


def test_slopes_that_disagree_about_the_limit_are_unsettled_at_once() -> None:
    base, head = calls(4, 4), calls(6, 4)
    change = judged(base, head)

    assert change.status is Status.UNSETTLED
    assert change.noise == pytest.approx(0.25)
    assert wanted_counts(ASKED, base, head) == ()


def test_a_count_that_repeats_has_no_noise_and_one_taken_once_has_none_known() -> None:
    assert judged(calls(4, 4), calls(6, 6)).noise == 0
    assert judged(calls(4), calls(6)).noise is None


@settings(deadline=None)  # a busy machine is no failure
@given(st.lists(st.integers(0, 40), min_size=1, max_size=5), st.integers(0, 40))
def test_more_slopes_never_turn_a_failure_into_a_pass(slopes: list[int], more: int) -> None:
    before = judged(calls(20), calls(*slopes)).status
    after = judged(calls(20), calls(*slopes, more)).status

    assert {before, after} != {Status.FAIL, Status.PASS}


def test_a_heap_that_was_never_seen_is_an_error_and_one_used_at_start_up_only_is_not() -> None:
    def heap(start_up: int) -> Change:
        side = calls(0, metric=ALLOCATIONS.name, start_up=start_up)
        return whole.judge(side, side, ALLOCATIONS, ONE_PERCENT, query())

    assert heap(0).status is Status.ERROR
    assert "linked statically" in heap(0).reasons[0].text
    assert heap(1).status is Status.PASS


def test_what_was_not_counted_or_elsewhere_is_an_error() -> None:
    elsewhere = replace(calls(4), fingerprint="f2")

    assert codes(judged(calls(4), straight(10))) == ["not-counted"]
    assert codes(judged(calls(4), elsewhere)) == ["fingerprint"]


def test_a_verdict_judges_them_beside_instructions() -> None:
    metrics = ("instructions", CALLS)
    both = [
        replace(straight(10**6), counts={**straight(10**6).counts, **calls(each).counts})
        for each in (4, 6)
    ]
    verdict = judge(compared(*both, metrics=metrics))

    assert [change.status for change in verdict.changes] == [Status.PASS, Status.FAIL]


def test_an_identical_query_without_calls_passes_by_proof() -> None:
    proof = Identity(differs=())
    (change,) = judge(compared(calls(0), None, identity=proof, metrics=(CALLS,))).changes

    assert (change.status, change.delta, change.proven) == (Status.PASS, 0, True)


@pytest.mark.parametrize(
    ("was", "now", "status", "delta"),
    [
        (0.0, 0.0, Status.PASS, 0),
        (0.0, 0.5, Status.PASS, 0),
        (0.0, 2.0, Status.FAIL, None),
        (4.0, 4.0, Status.PASS, 0),
        (4.0, 5.0, Status.FAIL, 0.25),
        (4.0, 0.0, Status.PASS, -1),
    ],
)
def test_a_recorded_count_may_be_none_too(
    was: float, now: float, status: Status, delta: float | None
) -> None:
    before, after = (Recorded.of(calls(each).counts[CALLS]) for each in (was, now))
    change = whole.held(before, after, SYSCALLS, ONE_PERCENT)

    assert (change.status, change.delta) == (status, delta)


@pytest.mark.parametrize(
    ("head", "printed", "status"),
    [
        (500, PRINTED, Status.PASS),
        (500, OTHER, Status.ERROR),
        (600, OTHER, Status.PASS),
    ],
)
def test_fewer_calls_of_work_that_is_no_longer_done_are_no_improvement(
    head: int, printed: Output, status: Status
) -> None:
    def side(per_ask: int, calls_per_ask: float, output: Output) -> Measurement:
        work = straight(per_ask, output=output)
        return replace(work, counts={**work.counts, **calls(calls_per_ask).counts})

    change = judged(side(1000, 8, PRINTED), side(head, 2, printed))

    assert change.status is status
    if status is Status.ERROR:
        assert codes(change) == ["collapsed"]
        assert change.reasons[0].text.startswith("its instructions fell from 1,000 to 500")
