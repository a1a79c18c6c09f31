from __future__ import annotations

import pytest

from countci.explaining.attributing import Item, Place
from countci.explaining.causes import Part
from countci.explaining.causes.group import SAME_CODE
from countci.explaining.causes.ranking import Ranked
from countci.explaining.words.calling import listed, sentences, summary


def ranked(*calls: tuple[str, float, float, float]) -> Ranked:
    """Return a group of calls: callee, difference, calls before and after."""
    parts = [
        Part(
            item=Item(
                delta=delta,
                function="f",
                place=Place("x.c", 1),
                callee=callee,
                base=base,
                head=head,
            ),
            group=SAME_CODE,
        )
        for callee, delta, base, head in calls
    ]
    return Ranked(group=SAME_CODE, parts=tuple(parts))


def test_each_callee_is_a_sentence_largest_first() -> None:
    found = sentences(ranked(("malloc", 142_000, 8, 2008), ("free", 218_000, 0, 2000)))

    assert found == [
        "free +218k: 2,000 more calls an ask",
        "malloc +142k: 2,000 more calls an ask",
    ]


def test_callees_with_as_many_calls_more_share_a_phrase() -> None:
    group = ranked(("malloc", 142_000, 8, 2008), ("free", 218_000, 0, 2000), ("puts", 90_000, 4, 4))

    assert summary(group) == (
        "2,000 more calls of free (+218k) and malloc (+142k), "
        "puts (+90.0k) called as often as before"
    )


def test_one_call_is_no_calls() -> None:
    assert sentences(ranked(("f", -20, 1, 0))) == ["f −20: 1 fewer call an ask"]


def test_calls_from_several_places_are_added() -> None:
    assert sentences(ranked(("f", 10, 1, 2), ("f", 20, 1, 3))) == ["f +30: 3 more calls an ask"]


def test_what_is_a_small_part_is_left_out() -> None:
    assert len(sentences(ranked(("f", 1000, 1, 2), ("g", 20, 1, 2)))) == 1


@pytest.mark.parametrize(
    ("names", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), ("abc", "a, b and c")]
)
def test_names_are_listed_as_people_do(names: list[str], text: str) -> None:
    assert listed(names) == text
