from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.judging.noise import Spread, repeats, spread
from countci.model import Counts, Measurement
from tests.unit.judging.measured import again, counted, straight, with_again

TOTALS = st.integers(1, 10**12)


def of(measured: Measurement) -> Counts:
    return measured.counts["instructions"]


def seen(base: Measurement, head: Measurement) -> Spread:
    return spread(of(base), of(head))


def test_what_was_never_counted_again_has_no_known_noise() -> None:
    assert seen(straight(1000), straight(1010)).noise is None
    assert repeats(of(straight(1000))) is None


@given(TOTALS, TOTALS, st.integers(0, 10**9))
def test_a_count_that_repeats_has_no_noise_at_all(base: int, head: int, start_up: int) -> None:
    first = straight(head, start_up)
    second = with_again(first, again((2, start_up + 2 * head)))
    found = seen(straight(base), second)

    assert repeats(of(second)) is True
    assert found.noise == 0
    assert found.delta == Fraction(head, base) - 1


def test_totals_of_the_smallest_n_bound_the_slope() -> None:
    # 20 more in 2 asks are 10 an ask; (4 + 8) / (8 - 4) of that in the slope: 30 of 1,000.
    head = with_again(straight(1000), again((2, 1000 + 2 * 1000 + 20)))
    found = seen(straight(1000), head)

    assert repeats(of(head)) is False
    assert (found.delta, found.noise) == (Fraction(0), Fraction(30, 1000))


def test_the_bound_is_of_the_farthest_totals() -> None:
    head = with_again(straight(1000), again((2, 3020)), again((2, 2990)))

    assert seen(straight(1000), head).noise == Fraction(45, 1000)


def test_a_bound_of_more_than_an_ask_says_only_that_much() -> None:
    base = with_again(straight(1000), again((2, 10**9)))
    found = seen(base, straight(1000))

    assert found.noise == 99  # an ask of a hundredth is not excluded


def test_slopes_take_the_place_of_the_bound() -> None:
    head = with_again(straight(1000), again((2, 9000)), again((4, 5000), (8, 9040)))
    found = seen(straight(1000), head)

    # 1,000 and 1,010: the median lies between them, either is 5 away from it.
    assert (found.head, found.delta) == (Fraction(1005), Fraction(5, 1000))
    assert found.noise == Fraction(5, 1000)


def test_noise_of_both_sides_adds_up() -> None:
    base = with_again(straight(1000), again((4, 4000), (8, 8000 - 40)))
    head = with_again(straight(1000), again((4, 4000), (8, 8000 + 40)))
    found = seen(base, head)

    assert found.delta == Fraction(1005, 995) - 1
    assert found.noise == Fraction(1010, 990) - 1 - found.delta


def test_a_whole_process_is_its_own_slope() -> None:
    head = with_again(counted((1, 1000)), again((1, 1004)))
    found = seen(counted((1, 1000)), head)

    assert (found.head, found.noise) == (Fraction(1002), Fraction(2, 1000))


def test_seeds_are_compared_in_pairs_and_the_median_is_taken_of_each_side() -> None:
    def seeded(slopes: tuple[int, int, int]) -> Measurement:
        first, second, third = slopes
        more = [again((4, 0), (8, 4 * second), seed=1), again((4, 0), (8, 4 * third), seed=2)]
        return with_again(straight(first), *more)

    found = seen(seeded((1000, 1100, 1200)), seeded((1010, 1111, 1212)))

    assert found.seeds == (0, 1, 2)
    assert (found.base, found.head) == (Fraction(1100), Fraction(1111))
    assert (found.delta, found.noise) == (Fraction(1, 100), Fraction(0))


def test_a_seed_that_one_side_lacks_is_left_out() -> None:
    head = with_again(straight(1010), again((4, 0), (8, 9000), seed=1))

    assert seen(straight(1000), head).seeds == (0,)


def test_another_seed_says_nothing_of_repeating() -> None:
    assert repeats(of(with_again(straight(1000), again((2, 9), seed=1)))) is None


@given(st.lists(st.integers(900, 1100), min_size=2, max_size=5))
def test_what_was_seen_lies_within_the_noise(slopes: list[int]) -> None:
    more = [again((4, 0), (8, 4 * slope)) for slope in slopes[1:]]
    found = seen(straight(1000), with_again(straight(slopes[0]), *more))

    assert found.noise is not None
    for slope in slopes:
        assert abs(Fraction(slope, 1000) - 1 - found.delta) <= found.noise


@pytest.mark.parametrize("n", [0, 2])
def test_an_again_at_another_n_does_not_repeat(n: int) -> None:
    head = with_again(straight(1000), again((3, 4000 + n)))

    assert repeats(of(head)) is False
