from __future__ import annotations

import msgspec
import pytest

from countci.judging.both import start_up, story
from countci.model import Change, Limit, Status

LIMIT = Limit(share=0.01)


def change(status: Status, delta: float = 0.0, *, proven: bool = False) -> Change:
    return Change(
        metric="any",
        base=1.0,
        head=1.0 + delta,
        delta=delta,
        limit=LIMIT,
        status=status,
        proven=proven,
    )


UP = change(Status.FAIL, 0.05)
SAME = change(Status.PASS, -0.0005)
LITTLE = change(Status.PASS, -0.005)
DOWN = change(Status.PASS, -0.05)


@pytest.mark.parametrize(
    ("instructions", "time", "start"),
    [
        (UP, UP, "regression in the code"),
        (SAME, UP, "slower with the same instructions"),
        (LITTLE, UP, "slower, which −0.50"),
        (UP, SAME, "more work that the processor hides"),
        (UP, DOWN, "more work that the processor hides"),
        (DOWN, UP, "a trade"),
    ],
)
def test_each_combination_has_its_sentence(instructions: Change, time: Change, start: str) -> None:
    found = story(instructions, time)

    assert found is not None
    assert found.text.startswith(start)


@pytest.mark.parametrize(
    ("instructions", "time"),
    [
        (SAME, SAME),
        (DOWN, DOWN),
        (DOWN, SAME),
        (UP, change(Status.UNSETTLED, 0.05)),
        (UP, change(Status.ERROR)),
        (change(Status.ERROR), UP),
        (change(Status.PASS, proven=True), change(Status.PASS, proven=True)),
    ],
)
def test_what_agrees_or_is_not_known_has_none(instructions: Change, time: Change) -> None:
    assert story(instructions, time) is None


def starting(before: float | None, after: float) -> Change:
    return msgspec.structs.replace(SAME, start_up_base=before, start_up_head=after)


def test_a_start_up_that_does_more_work_is_told() -> None:
    told = start_up(starting(1_000_000.0, 5_000_000.0))

    assert told is not None
    assert "+400.00" in told.text


@pytest.mark.parametrize(
    ("before", "after"), [(150_000.0, 160_000.0), (9e9, 9.01e9), (None, 9e9), (2e6, 1e6)]
)
def test_a_start_up_that_hardly_rose_is_not_told(before: float | None, after: float) -> None:
    assert start_up(starting(before, after)) is None


def test_slower_with_more_start_up_is_not_blamed_on_layout() -> None:
    found = story(starting(1_000_000.0, 5_000_000.0), UP)

    assert found is not None
    assert "start-up does more" in found.text
