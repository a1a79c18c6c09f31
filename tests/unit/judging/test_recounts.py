from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from countci.judging import exact, wanted_counts
from countci.model import (
    INSTRUCTIONS,
    Change,
    CommandWork,
    Limit,
    Measurement,
    Query,
    Recount,
    Status,
)
from tests.unit.judging.measured import NOTHING, again, query, straight, with_again

PLAIN = query()
FIXED = replace(PLAIN, work=CommandWork(command="ask {n}", fixed=("clock",)))
AGAIN = again((2, 3000))
"""Of `straight(1000)`: it repeats."""


def head_of(per_ask: int) -> Measurement:
    """Return a head that repeats."""
    return with_again(straight(per_ask), again((2, 1000 + 2 * per_ask)))


def judged(base: Measurement, head: Measurement, asked: Query = PLAIN) -> Change:
    return exact.judge(base, head, INSTRUCTIONS, Limit(share=0.01), asked)


def only(side: str, *points: int, seed: int = 0) -> tuple[Recount, ...]:
    return (Recount(side="head" if side == "head" else "base", points=points, seed=seed),)


def test_equal_counts_need_no_other() -> None:
    assert wanted_counts(PLAIN, straight(1000), straight(1000, 5000)) == ()
    assert wanted_counts(FIXED, straight(1000), straight(1000)) == ()


@pytest.mark.parametrize("per_ask", [1001, 1100, 900])
def test_head_is_counted_once_more_at_its_smallest_n(per_ask: int) -> None:
    assert wanted_counts(PLAIN, straight(1000), straight(per_ask)) == only("head", 2)


@pytest.mark.parametrize("per_ask", [1001, 900])
def test_that_is_all_for_an_exact_program_that_passes(per_ask: int) -> None:
    assert wanted_counts(PLAIN, straight(1000), head_of(per_ask)) == ()


def test_before_it_fails_base_is_counted_once_more_too() -> None:
    assert wanted_counts(PLAIN, straight(1000), head_of(1100)) == only("base", 2)
    assert wanted_counts(PLAIN, with_again(straight(1000), AGAIN), head_of(1100)) == ()


@pytest.mark.parametrize("per_ask", [1006, 1010, 1014])
def test_near_the_limit_another_hash_seed_is_tried(per_ask: int) -> None:
    base = with_again(straight(1000), AGAIN)

    assert wanted_counts(PLAIN, base, head_of(per_ask)) == only("head", 2, seed=1)


@pytest.mark.parametrize("per_ask", [1004, 1016])
def test_far_from_the_limit_no_seed_is_tried(per_ask: int) -> None:
    assert wanted_counts(PLAIN, with_again(straight(1000), AGAIN), head_of(per_ask)) == ()


def test_a_seed_that_moves_nothing_is_the_end_of_it() -> None:
    head = with_again(head_of(1006), again((2, 3012), seed=1))

    assert wanted_counts(PLAIN, straight(1000), head) == ()


def test_a_seed_that_moves_the_count_is_tried_on_both_sides() -> None:
    head = with_again(head_of(1006), again((2, 3099), seed=1))
    wanted = wanted_counts(PLAIN, straight(1000), head)

    assert {(each.side, each.seed) for each in wanted} == {
        ("head", 1),
        ("head", 2),
        ("base", 1),
        ("base", 2),
    }
    assert {each.points for each in wanted} == {(4, 8)}


def test_fixed_queries_are_counted_at_three_seeds_wherever_the_limit_is() -> None:
    assert len(wanted_counts(FIXED, straight(1000), head_of(1001))) == 4


def test_counts_that_can_not_be_compared_want_nothing() -> None:
    assert wanted_counts(PLAIN, straight(1000), straight(1010, machine="f2")) == ()
    assert wanted_counts(PLAIN, straight(1000), straight(10, output=NOTHING)) == ()


def fulfil(
    base: Measurement, head: Measurement, chance: random.Random, spread: int
) -> tuple[Measurement, Measurement, int]:
    """Count whatever is wanted of a program that is off by up to `spread` an ask."""
    runs, sides = 0, {"base": base, "head": head}
    true = {"base": 10_000, "head": head.counts["instructions"].points[0].total // 2}
    while wanted := wanted_counts(PLAIN, sides["base"], sides["head"]):
        for each in wanted:
            off = chance.randint(-spread, spread)
            points = [(n, n * (true[each.side] + off)) for n in each.points]
            sides[each.side] = with_again(sides[each.side], again(*points, seed=each.seed))
            runs += 1
    return sides["base"], sides["head"], runs


@pytest.mark.parametrize("seed", range(40))
def test_an_unstable_program_never_fails_and_wants_an_end(seed: int) -> None:
    chance = random.Random(seed)
    base, head = (straight(10_000 + chance.randint(-90, 90), 0) for _ in range(2))
    base, head, runs = fulfil(base, head, chance, 90)

    assert judged(base, head).status is not Status.FAIL
    assert runs <= 10


@pytest.mark.parametrize("seed", range(10))
def test_a_great_regression_fails_though_the_program_is_unstable(seed: int) -> None:
    chance = random.Random(seed)
    base, head, runs = fulfil(straight(10_000), straight(12_000, 0), chance, 90)

    assert judged(base, head).status is Status.FAIL
    assert runs == 10  # twice the smallest n, four more slopes of each


def test_a_limit_inside_the_noise_is_unsettled_at_once() -> None:
    base = with_again(straight(1000), again((2, 3020)), again((4, 0), (8, 4040)))
    head = with_again(straight(1005), again((2, 3030)), again((4, 0), (8, 4060)))

    assert judged(base, head).status is Status.UNSETTLED
    assert wanted_counts(PLAIN, base, head) == ()


def test_the_same_noise_passes_what_stays_far_below_the_limit() -> None:
    head = with_again(straight(900), again((2, 1000 + 2 * 900 + 20)))
    base = with_again(straight(1000), again((2, 3020)))

    assert wanted_counts(PLAIN, straight(1000), head) == only("base", 2)
    assert wanted_counts(PLAIN, base, head) == ()
    assert judged(base, head).status is Status.PASS
