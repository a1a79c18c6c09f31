from __future__ import annotations

import itertools

import pytest

from countci.judging import judge, worst
from countci.model import Comparison, Identity, Kind, Measurement, Problem, Status
from tests.unit.judging.measured import NOTHING, compared, straight
from tests.unit.judging.samples import samples_of

EQUAL = samples_of((0.0,) * 10)
SLOWER = samples_of((0.05,) * 10, (0.05,) * 10, (0.0,) * 10)


def codes(comparison: Comparison) -> list[str]:
    return [reason.code for reason in judge(comparison).reasons]


@pytest.mark.parametrize("pair", [*itertools.combinations(Status, 2)], ids=str)
def test_the_worst_status_is_the_later_one(pair: tuple[Status, Status]) -> None:
    assert worst(pair) is worst(reversed(pair)) is pair[1]


def test_nothing_measured_is_an_error() -> None:
    assert worst(()) is Status.ERROR
    assert judge(compared(metrics=())).status is Status.ERROR


def test_a_query_is_as_bad_as_its_worst_metric() -> None:
    verdict = judge(compared(straight(1000), straight(1000), samples=SLOWER))

    assert [change.status for change in verdict.changes] == [Status.PASS, Status.FAIL]
    assert verdict.status is Status.FAIL


def test_only_the_metrics_that_the_query_asks_for_are_judged() -> None:
    verdict = judge(compared(straight(1000), straight(1000), metrics=("instructions",)))

    assert [change.metric for change in verdict.changes] == ["instructions"]
    assert verdict.status is Status.PASS


def test_an_identical_query_is_proven_zero_with_bases_number() -> None:
    verdict = judge(compared(straight(1000), identity=Identity(differs=("README.md",))))

    assert verdict.status is Status.PASS
    assert all(change.proven and change.delta == 0 for change in verdict.changes)
    assert verdict.changes[0].base == verdict.changes[0].head == 1000
    assert [reason.code for reason in verdict.reasons] == ["identical"]


def test_equal_builds_need_no_measurement() -> None:
    assert judge(compared(identity=Identity(differs=()))).status is Status.PASS


def test_an_identical_query_that_does_no_work_is_an_error() -> None:
    assert judge(compared(straight(0), identity=Identity(differs=()))).status is Status.ERROR


def test_a_problem_is_an_error_that_keeps_what_was_measured() -> None:
    problem = Problem(problem="exit status 3", where="bank ask 1", detail="no such branch")
    verdict = judge(compared(straight(1000), straight(1001), problem=problem))

    assert (verdict.status, verdict.problem) == (Status.ERROR, problem)
    assert [change.metric for change in verdict.changes] == ["instructions"]
    assert judge(compared(straight(1000), problem=problem)).changes == ()


def test_a_new_query_is_listed_with_heads_count_and_not_judged() -> None:
    verdict = judge(compared(head=straight(1000), kind=Kind.NEW))

    assert verdict.status is Status.PASS
    assert [(change.base, change.head, change.delta) for change in verdict.changes] == [
        (None, 1000, None)
    ]
    assert [reason.code for reason in verdict.reasons] == ["new"]


@pytest.mark.parametrize("head", [None, straight(0)], ids=["unmeasured", "idle"])
def test_a_new_query_that_was_not_counted_is_an_error(head: Measurement | None) -> None:
    assert judge(compared(head=head, kind=Kind.NEW)).status is Status.ERROR


def test_a_new_query_that_only_wants_pairs_is_not_green() -> None:
    verdict = judge(compared(kind=Kind.NEW, metrics=("time",)))

    assert verdict.status is Status.UNSETTLED


def test_a_gone_query_is_an_error() -> None:
    comparison = compared(straight(1000), kind=Kind.GONE)

    assert judge(comparison).status is Status.ERROR
    assert codes(comparison) == ["gone"]


@pytest.mark.parametrize(
    "comparison",
    [
        compared(straight(1000), samples=EQUAL),
        compared(head=straight(1000), samples=EQUAL),
        compared(samples=EQUAL),
        compared(straight(1000), straight(1000)),
        compared(),
    ],
    ids=["base only", "head only", "times only", "counts only", "nothing"],
)
def test_a_metric_that_is_missing_is_an_error(comparison: Comparison) -> None:
    verdict = judge(comparison)

    assert verdict.status is Status.ERROR
    assert [change.metric for change in verdict.changes] == ["instructions", "time"]


def test_the_story_of_both_numbers_is_told() -> None:
    assert codes(compared(straight(1000), straight(1100), samples=EQUAL)) == ["both"]
    assert codes(compared(straight(1000), straight(1000), samples=EQUAL)) == []


def test_a_query_that_returns_at_once_and_prints_nothing_is_never_green() -> None:
    # −97 %, passed elsewhere as "worst +0.00 %".
    silent = straight(30, output=NOTHING)

    assert judge(compared(straight(1000), silent, samples=EQUAL)).status is Status.ERROR
