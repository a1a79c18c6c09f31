"""What a pytest suite wrote, read."""

from __future__ import annotations

import json

import pytest

from countci.counting import journal
from countci.counting.segments import three, warm_for
from countci.errors import MeasureError
from countci.inside.plan import LONG, apart, plan_for
from countci.model import Point

END = {"end": 1, "pytest": "8", "python": "3.11", "flat": True}


def written(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def failed(test: str, why: str = "no") -> dict[str, object]:
    return {"id": test, "outcome": "failed", "why": why, "how": "", "notes": []}


def test_the_last_line_of_a_test_is_the_one_that_counts() -> None:
    passed = {"id": "t", "outcome": "passed", "segments": [[4, [[1, 2]]]], "answer": "ab"}

    found = journal.read(written(failed("t"), passed, END), where="x")

    assert found is not None
    assert found.flat
    assert found.tests["t"].outcome == "passed"
    assert found.tests["t"].points({1: 100, 2: 500}.__getitem__) == (Point(n=4, total=400),)


@pytest.mark.parametrize("data", [b"", written(failed("t")), written(END)[:-9]])
def test_a_journal_without_its_end_is_none(data: bytes) -> None:
    assert journal.read(data, where="x") is None


def test_a_session_that_could_not_begin_is_an_error_with_its_words() -> None:
    with pytest.raises(MeasureError) as error:
        journal.read(written(failed("", "no such option")), where="pytest")

    assert error.value.detail == "no such option"


@pytest.mark.parametrize("instructions", [100, 40_000, 3_000_000, LONG, LONG + 1])
def test_a_plan_is_known_by_any_of_its_points(instructions: int) -> None:
    for plan in (plan_for(instructions), apart(plan_for(instructions))):
        assert plan.warm == warm_for(plan.points[0])
        assert {three(plan.points[:1]), three(plan.points[1:]), three(plan.points)} == {plan.points}
