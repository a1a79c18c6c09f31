from __future__ import annotations

import pytest
from msgspec.structs import replace

from countci.judging import exact
from countci.model import (
    INSTRUCTIONS,
    Change,
    CommandWork,
    Limit,
    Measurement,
    PytestWork,
    Query,
    Status,
)
from tests.unit.judging.measured import PRINTED, again, query, straight, with_again

OTHER = replace(PRINTED, digest="bb")
SAME = replace(query(), output="same")


def judged(base: Measurement, head: Measurement, asked: Query | None = None) -> Change:
    return exact.judge(base, head, INSTRUCTIONS, Limit(share=0.01), asked or query())


def noisy(per_ask: int, off: int, causes: tuple[str, ...] = ()) -> Measurement:
    """Return a head with two slopes, `off` apart."""
    first = 1000 + 2 * per_ask
    second = again((4, 0), (8, 4 * (per_ask + off)))
    return with_again(straight(per_ask), again((2, first + off)), second, causes=causes)


def text(change: Change, code: str) -> str:
    return next(reason.text for reason in change.reasons if reason.code == code)


def codes(change: Change) -> list[str]:
    return [reason.code for reason in change.reasons]


@pytest.mark.parametrize(
    ("per_ask", "off", "status"),
    [
        (1006, 2, Status.PASS),
        (1008, 4, Status.UNSETTLED),
        (1010, 4, Status.UNSETTLED),
        (1014, 4, Status.FAIL),
    ],
)
def test_the_noise_is_between_passing_and_failing(per_ask: int, off: int, status: Status) -> None:
    change = judged(straight(1000), noisy(per_ask, off))

    assert change.status is status
    assert change.noise == pytest.approx(off / 2 / 1000)


def test_more_noise_than_a_third_of_the_limit_is_unstable() -> None:
    assert codes(judged(straight(1000), noisy(1000, 6))) == []
    assert codes(judged(straight(1000), noisy(1000, 8))) == ["unstable"]


def test_a_count_that_repeats_has_the_noise_0() -> None:
    head = with_again(straight(1005), again((2, 3010)))

    assert (judged(straight(1000), head).noise, judged(straight(1000), head).reasons) == (0, ())


def test_no_remedy_is_named_that_a_test_of_a_suite_does_not_have() -> None:
    test = replace(query(), work=PytestWork(args=("tests",), test="tests/test_a.py::test_a"))

    found = text(judged(straight(1000), noisy(1000, 8, ("clock",)), test), "unstable")

    assert "the clock, or its memory" in found
    assert "fixed" not in found


def test_the_cause_and_its_remedy_are_named() -> None:
    said = text(judged(straight(1000), noisy(1000, 30, ("clock", "random"))), "unstable")

    assert "asks for random numbers and the clock" in said
    assert '`fixed = ["clock", "random"]`' in said


@pytest.mark.parametrize(
    ("causes", "asked"),
    [
        (("threads",), query()),
        ((), query()),
        (("clock",), replace(query(), work=CommandWork(command="ask {n}", fixed=("clock",)))),
    ],
    ids=["threads", "none", "fixed already"],
)
def test_what_can_not_be_fixed_sends_to_the_doctor(causes: tuple[str, ...], asked: Query) -> None:
    said = text(judged(straight(1000), noisy(1000, 30, causes), asked), "unstable")

    assert "countci doctor --query bank/field" in said
    assert "`fixed" not in said


def test_what_only_the_seed_moves_says_so() -> None:
    seeds = [again((4, 0), (8, 4 * slope), seed=seed) for seed, slope in ((1, 1000), (2, 1020))]
    base = [again((4, 0), (8, 4000), seed=seed) for seed in (1, 2)]
    change = judged(with_again(straight(1000), *base), with_again(straight(1010), *seeds))

    assert change.status is Status.UNSETTLED
    assert "depends on the seed of hashes and random numbers (0, 1, 2)" in text(change, "unstable")


def test_changed_output_is_named_and_an_error_where_the_query_says_same() -> None:
    head = straight(1000, output=OTHER)

    assert judged(straight(1000), head).status is Status.PASS
    change = judged(straight(1000), head, SAME)
    assert change.status is Status.ERROR
    assert "bank.toml" in text(change, "output-not-same")
    assert judged(straight(1000), straight(1000), SAME).status is Status.PASS


def test_processes_that_were_counted_together_are_named_once_each() -> None:
    family = replace(straight(1000), processes=("sh -c x", "cat", "cat"))

    assert text(judged(family, family), "processes") == (
        "3 processes were counted together: sh -c x; cat (2 times)"
    )
    said = [r.text for r in judged(straight(1000), family).reasons if r.code == "processes"]
    assert said == ["3 processes were counted together on head: sh -c x; cat (2 times)"]


def test_many_programs_are_cut_short() -> None:
    family = replace(straight(1000), processes=tuple(f"p{index}" for index in range(9)))

    assert text(judged(family, family), "processes").endswith("p5; and 3 more")


def test_two_counters_are_named() -> None:
    head = replace(straight(1000), counter="callgrind")

    assert "base was counted by cachegrind" in text(judged(straight(1000), head), "other-counter")
