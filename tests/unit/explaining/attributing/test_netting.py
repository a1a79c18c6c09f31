from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.attributing import Item, Place
from countci.explaining.attributing.netting import net

ITEMS = st.lists(
    st.builds(
        Item,
        delta=st.integers(-50, 50).map(float),
        function=st.sampled_from("fg"),
        place=st.just(Place("x.c", 1)),
        callee=st.sampled_from(["h", "k", None]),
    )
)


@given(ITEMS)
def test_the_sum_stays(items: list[Item]) -> None:
    kept = sum(item.delta for item in net(items))

    assert kept == pytest.approx(sum(item.delta for item in items), abs=1e-9)


@given(ITEMS)
def test_all_calls_of_a_callee_have_the_same_sign(items: list[Item]) -> None:
    kept = [item for item in net(items) if item.callee == "h"]

    assert all(item.delta > 0 for item in kept) or all(item.delta < 0 for item in kept)


@given(ITEMS)
def test_own_costs_are_left_alone(items: list[Item]) -> None:
    own = [item for item in items if item.callee is None]

    assert [item for item in net(items) if item.callee is None] == own
