from __future__ import annotations

import msgspec
import pytest

from countci.judging import sampled
from countci.judging.deltas import floor
from countci.model import TIME, Limit, Pair, Run, Samples, Status, Wanted
from tests.unit.judging.samples import RATE, pairs_of, samples_of, timed, transactions

LIMIT = Limit(share=0.03)
SLOWER = (0.05,) * 10
EQUAL = (-0.001, 0.001) * 5


def codes(samples: Samples, limit: Limit = LIMIT) -> list[str]:
    return [reason.code for reason in sampled.judge(samples, limit, TIME).reasons]


def test_values_are_seconds_per_ask() -> None:
    change = sampled.judge(samples_of(EQUAL, n=50), LIMIT, TIME)

    assert change.base == pytest.approx(0.02)
    assert change.head == pytest.approx(0.02)


def test_a_change_tells_its_delta_interval_and_pairs() -> None:
    change = sampled.judge(samples_of(SLOWER, (0.04,) * 10, EQUAL), LIMIT, TIME)

    assert change.status is Status.FAIL
    assert change.delta == pytest.approx(0.045)
    assert change.low == pytest.approx(0.04)
    assert change.high == pytest.approx(0.05)
    assert change.pairs == 20
    assert change.core_share == pytest.approx(1.0)
    assert change.reasons == ()


def test_a_published_table_reads_as_published() -> None:
    change = sampled.judge(transactions(), LIMIT, RATE)

    assert (change.base, change.head) == (44_526.5, 45_043)
    assert change.delta == pytest.approx(-0.0106, abs=5e-5)
    assert change.disturbed == 2
    assert change.pairs == 6
    assert change.status is Status.UNSETTLED  # six pairs are fewer than any look
    assert [reason.text.replace("\N{NO-BREAK SPACE}", " ") for reason in change.reasons] == [
        "4 more pairs are needed to decide",
        "the median of the pairs' deltas is −1.06 %; the ratio of the two medians is +1.16 %",
        "runs 5, 6 of head got less of a core than the side's others; they stay in the data",
    ]


def test_medians_that_lie_outside_of_the_interval_beside_them_are_said() -> None:
    # Runs of one and of two seconds, each 25 % slower but for the middle one of a side.
    paired = (
        *[Pair(base=timed(1.0), head=timed(1.25), head_first=False)] * 6,
        *[Pair(base=timed(2.0), head=timed(2.5), head_first=False)] * 5,
    )
    uneven = Pair(base=timed(1.0), head=timed(2.5), head_first=False)
    samples = Samples(n=1, pairs=(*paired, uneven), confirming=(), control=())

    change = sampled.judge(samples, LIMIT, TIME)

    assert change.delta == pytest.approx(0.25)
    assert change.high is not None
    assert change.head is not None
    assert change.head / (change.base or 1) - 1 > change.high
    assert [reason.code for reason in change.reasons if reason.code == "medians"] == ["medians"]


def test_for_a_rate_a_fall_is_worse_and_a_rise_is_not() -> None:
    def pairs(rate: float) -> tuple[Pair, ...]:
        pair = Pair(base=timed(1, rate=100), head=timed(1, rate=rate), head_first=False)
        return (pair,) * 10

    equal = Pair(base=timed(1, rate=100), head=timed(1, rate=100), head_first=False)
    fallen = Samples(n=1, pairs=pairs(95), confirming=pairs(95), control=(equal,) * 10)

    assert sampled.judge(fallen, LIMIT, RATE).status is Status.FAIL
    assert sampled.judge(fallen, LIMIT, RATE).delta == pytest.approx(-0.05)
    risen = sampled.judge(Samples(n=1, pairs=pairs(105)), LIMIT, RATE)
    assert risen.status is Status.PASS
    assert risen.low == pytest.approx(0.05)


def test_a_report_read_back_from_json_is_judged_the_same() -> None:
    samples = samples_of(SLOWER, (0.04,) * 10, EQUAL)
    again = msgspec.json.decode(msgspec.json.encode(samples), type=Samples)

    assert sampled.judge(again, LIMIT, TIME) == sampled.judge(samples, LIMIT, TIME)


def test_a_tighter_limit_on_old_data_says_what_is_missing_instead_of_failing() -> None:
    tighter = Limit(share=0.0001)

    assert sampled.wanted(samples_of(SLOWER), tighter, TIME) == Wanted(block="confirming", more=10)
    assert sampled.judge(samples_of(SLOWER), tighter, TIME).status is Status.UNSETTLED
    assert codes(samples_of(SLOWER), tighter) == ["unfinished"]


def test_too_few_pairs_have_no_interval_and_no_infinite_ends() -> None:
    change = sampled.judge(samples_of(SLOWER[:5]), LIMIT, TIME)

    assert (change.status, change.low, change.high) == (Status.UNSETTLED, None, None)
    assert change.delta == pytest.approx(0.05)


def test_without_pairs_it_is_an_error() -> None:
    change = sampled.judge(Samples(n=1, pairs=()), LIMIT, TIME)

    assert (change.status, change.delta) == (Status.ERROR, None)


def test_a_base_of_zero_is_an_error_and_never_a_ratio() -> None:
    pair = Pair(base=timed(1, rate=0), head=timed(1, rate=5), head_first=False)
    samples = Samples(n=1, pairs=(pair,) * 10)

    assert sampled.wanted(samples, LIMIT, RATE) is None
    change = sampled.judge(samples, LIMIT, RATE)
    assert (change.status, change.delta, change.low) == (Status.ERROR, None, None)


@pytest.mark.parametrize("rate", [None, float("nan"), float("inf")])
def test_a_run_without_a_number_is_an_error(rate: float | None) -> None:
    pair = Pair(base=timed(1, rate=5), head=timed(1, rate=rate), head_first=False)

    assert sampled.judge(Samples(n=1, pairs=(pair,) * 10), LIMIT, RATE).status is Status.ERROR


def test_time_is_wall_time_less_the_wait_in_the_run_queue() -> None:
    waited = Run(wall=1.5, user=1.0, system=0.0, wait=0.5)
    pair = Pair(base=timed(1.0), head=waited, head_first=False)

    assert sampled.judge(Samples(n=1, pairs=(pair,) * 10), LIMIT, TIME).delta == 0


def test_where_one_wait_is_unknown_both_runs_are_read_by_the_wall_clock() -> None:
    unknown = Run(wall=1.5, user=1.0, system=0.0, wait=None)
    waited = Run(wall=1.5, user=1.0, system=0.0, wait=0.5)
    pair = Pair(base=unknown, head=waited, head_first=False)
    change = sampled.judge(Samples(n=1, pairs=(pair,) * 10), LIMIT, TIME)

    assert change.delta == 0
    assert [reason.code for reason in change.reasons] == ["wall"]


def test_a_failure_that_was_not_confirmed_says_so() -> None:
    assert codes(samples_of(SLOWER, (0.0,) * 10)) == ["unconfirmed"]


def test_a_failure_that_the_control_took_back_says_so() -> None:
    assert codes(samples_of(SLOWER, SLOWER, (0.03,) * 40)) == ["noisy"]


def test_a_failure_that_stands_beyond_a_restless_control_says_so() -> None:
    judged = sampled.judge(samples_of(SLOWER, SLOWER, (0.01,) * 20), LIMIT, TIME)

    assert judged.status is Status.FAIL
    [reason] = judged.reasons
    assert reason.code == "beyond-noise"
    assert reason.text.replace("\N{NO-BREAK SPACE}", " ") == (
        "20 pairs (median +1.00 %) of base against itself differ, +1.00 % to +1.00 %: "
        "the change is beyond that and the limit of 3 % together"
    )


def test_an_interval_that_holds_zero_says_so() -> None:
    assert codes(samples_of((-0.01, 0.08) * 20)) == ["undecided"]


def test_the_floor_is_the_null_controls_median() -> None:
    assert floor(samples_of(SLOWER, SLOWER, (-0.01,) * 10), TIME) == pytest.approx(0.01)


def test_without_a_control_the_floor_is_each_build_against_itself() -> None:
    seconds = [(1.0, 2.0), (1.1, 2.2)] * 5
    pairs = tuple(
        Pair(base=timed(base), head=timed(head), head_first=False) for base, head in seconds
    )

    assert floor(Samples(n=1, pairs=pairs), TIME) == pytest.approx(0.1)


def test_one_pair_has_no_floor() -> None:
    assert floor(Samples(n=1, pairs=pairs_of([0.5])), TIME) is None
