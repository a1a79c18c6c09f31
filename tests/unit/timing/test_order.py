from __future__ import annotations

from itertools import islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from countci.timing.order import blocks

seeds = st.integers(0, 2**64)


@given(seeds, st.integers(1, 100))
def test_in_every_block_of_two_pairs_each_side_runs_first_once(seed: int, count: int) -> None:
    order = list(islice(blocks(seed), 2 * count))

    assert all(first != second for first, second in zip(order[::2], order[1::2], strict=True))


@given(seeds)
def test_the_same_seed_gives_the_same_order(seed: int) -> None:
    assert list(islice(blocks(seed), 80)) == list(islice(blocks(seed), 80))


def test_over_many_blocks_both_kinds_come_equally_often() -> None:
    kinds = list(islice(blocks(1), 0, 4000, 2))

    assert 900 < sum(kinds) < 1100  # 4.5 standard deviations of 2,000 coins


def test_a_block_tells_nothing_about_the_next_one() -> None:
    kinds = list(islice(blocks(2), 0, 4000, 2))
    alike = sum(one == other for one, other in pairwise(kinds))

    assert 900 < alike < 1100
