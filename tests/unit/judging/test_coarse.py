"""Limits that are no share of base."""

from __future__ import annotations

from typing import Literal

import pytest

from countci.judging import sampled
from countci.model import Limit, Metric, Pair, Run, Samples, Status

P99 = Metric(name="p99", unit="seconds", exact=False)
RATE = Metric(name="rate", unit="MB/s", exact=False, better="higher")
RATIO = Limit(share=0.5, form="ratio")


def pairs(metric: Metric, base: float, head: float, count: int = 6) -> Samples:
    def run(value: float) -> Run:
        return Run(wall=1.0, user=1.0, system=0.0, wait=0.0, values={metric.name: value})

    pair = Pair(base=run(base), head=run(head), head_first=False)
    return Samples(n=1, pairs=(pair,) * count)


@pytest.mark.parametrize(
    ("metric", "base", "head", "status"),
    [
        (P99, 0.010, 0.0149, Status.PASS),
        (P99, 0.010, 0.0151, Status.FAIL),
        (P99, 0.010, 0.001, Status.PASS),
        (RATE, 300.0, 201.0, Status.PASS),
        (RATE, 300.0, 199.0, Status.FAIL),
        (RATE, 300.0, 900.0, Status.PASS),
    ],
)
def test_a_ratio_is_one_of_the_two_medians_whichever_way_is_better(
    metric: Metric, base: float, head: float, status: Status
) -> None:
    assert sampled.judge(pairs(metric, base, head), RATIO, metric).status is status


@pytest.mark.parametrize(
    ("metric", "head", "status"),
    [(P99, 0.2, Status.PASS), (P99, 0.3, Status.FAIL), (RATE, 0.3, Status.PASS)],
)
def test_an_amount_is_held_against_head_alone(metric: Metric, head: float, status: Status) -> None:
    limit = Limit(form="amount", amount=0.25)

    assert sampled.judge(pairs(metric, 1.0, head), limit, metric).status is status


@pytest.mark.parametrize(("head", "status"), [(4.0, Status.PASS), (5.0, Status.FAIL)])
def test_what_is_constant_may_not_move_either_way(head: float, status: Status) -> None:
    limit = Limit(form="constant")

    assert sampled.judge(pairs(P99, 4.0, head), limit, P99).status is status


@pytest.mark.parametrize("form", ["ratio", "amount", "constant"])
def test_six_pairs_are_enough(form: Literal["ratio", "amount", "constant"]) -> None:
    limit = Limit(share=0.5, form=form, amount=1.0)
    wanted = sampled.wanted(pairs(P99, 1.0, 1.0, count=2), limit, P99)

    assert wanted is not None
    assert (wanted.block, wanted.more) == ("pairs", 4)
    assert sampled.wanted(pairs(P99, 1.0, 1.0), limit, P99) is None


def test_a_ratio_that_not_every_pair_shows_is_unsettled_and_says_so() -> None:
    worse, better = pairs(P99, 1.0, 2.0, 5), pairs(P99, 1.0, 0.5, 1)

    change = sampled.judge(Samples(n=1, pairs=worse.pairs + better.pairs), RATIO, P99)

    assert change.status is Status.UNSETTLED
    assert [reason.code for reason in change.reasons] == ["undecided"]
    assert "no change at all lies inside its interval" in change.reasons[0].text


def test_a_ratio_within_its_limit_passes_however_the_pairs_differ() -> None:
    worse, better = pairs(P99, 1.0, 1.4, 5), pairs(P99, 1.0, 0.5, 1)

    change = sampled.judge(Samples(n=1, pairs=worse.pairs + better.pairs), RATIO, P99)

    assert change.status is Status.PASS
