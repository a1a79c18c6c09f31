from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from countci.history.halving import Questions, Stretch, steps


class Places:
    """Levels by place, None where there is none; how often each was looked at."""

    def __init__(self, levels: list[int | None]) -> None:
        self.levels = levels
        self.looks: list[int] = []

    def steps(self) -> list[Stretch]:
        ask = Questions(look=self._look, differ=lambda one, other: one != other)
        return list(steps(0, len(self.levels) - 1, ask))

    def _look(self, place: int) -> int | None:
        self.looks.append(place)
        return self.levels[place]


def expected(levels: list[int | None]) -> list[Stretch]:
    known = [(place, level) for place, level in enumerate(levels) if level is not None]
    pairs = itertools.pairwise(known)
    return [Stretch(low, high) for (low, one), (high, other) in pairs if one != other]


@st.composite
def rising(draw: st.DrawFn) -> list[int | None]:
    """Levels that never fall, so that no two steps cancel each other; gaps between the ends."""
    sizes = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=1, max_size=40))
    levels = [sum(sizes[:end]) for end in range(len(sizes) + 1)]
    gaps = draw(st.sets(st.integers(1, max(1, len(levels) - 2))))
    inner = range(1, len(levels) - 1)
    return [None if place in gaps and place in inner else each for place, each in enumerate(levels)]


@given(rising())
@example([0, None, None, 1])
def test_every_step_of_a_line_that_only_rises_is_found_in_order(levels: list[int | None]) -> None:
    assert Places(levels).steps() == expected(levels)


@given(rising())
def test_no_place_is_looked_at_twice(levels: list[int | None]) -> None:
    places = Places(levels)

    places.steps()

    assert len(places.looks) == len(set(places.looks))


@given(st.integers(2, 3000), st.data())
def test_one_step_takes_no_more_looks_than_halving(count: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, count))
    places = Places([int(each >= place) for each in range(count + 1)])

    assert places.steps() == [Stretch(place - 1, place)]
    assert len(places.looks) <= 2 + math.ceil(math.log2(count))


def test_steps_that_cancel_each_other_are_not_seen_from_the_ends() -> None:
    assert Places([1, 2, 2, 1]).steps() == []


def test_steps_both_ways_are_found_where_the_ends_differ() -> None:
    assert Places([1, 3, 3, 2, 2]).steps() == [Stretch(0, 1), Stretch(2, 3)]


@pytest.mark.parametrize("levels", [[None, 1], [1, None]])
def test_an_end_without_a_number_is_refused(levels: list[int | None]) -> None:
    with pytest.raises(ValueError, match="both ends"):
        Places(levels).steps()
