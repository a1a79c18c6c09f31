from __future__ import annotations

import os

import pytest

from countci.inside.digest import answer, shown


class Plain:
    pass


class Bad:
    def __repr__(self) -> str:
        raise ValueError


def test_addresses_are_left_out() -> None:
    assert shown([Plain(), {"a": Plain}]) == shown([Plain(), {"a": Plain}])
    assert "0x>" in shown(Plain())


def test_the_order_of_a_set_does_not_matter() -> None:
    assert shown({"a", "b", "c"}) == shown({"c", "b", "a"})


@pytest.mark.parametrize(
    ("one", "other"),
    [([1, 2], [1, 3]), ([1], (1,)), ({"a": 1}, {"a": 2}), ([[]], [[[]]]), ({1}, {2}), (None, 0)],
)
def test_another_result_is_shown_otherwise(one: object, other: object) -> None:
    assert shown(one) != shown(other)


def test_a_repr_that_fails_is_named() -> None:
    assert shown([Bad()]) == "list 1[Bad: ValueError,]"


def test_a_huge_result_is_cut_and_its_length_still_counts() -> None:
    assert len(shown(["x" * 1000] * 10_000)) < 1_100_000
    assert shown([1] * 2_000_000) != shown([1] * 2_000_001)


def test_what_is_printed_by_python_and_below_it_is_part_of_the_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def says(text: str) -> None:
        print(text)  # noqa: T201
        os.write(1, b"below\n")

    with capfd.disabled():
        first, again, other = (answer(lambda t=text: says(t)) for text in ("a", "a", "b"))  # type: ignore[misc]

    assert first == again
    assert first.printed == len("a\nbelow\n")
    assert first.digest != other.digest
