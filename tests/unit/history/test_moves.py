from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from countci.counting import Outcome
from countci.history.known import Known
from countci.history.lines import Before
from countci.history.moves import step_of
from countci.history.readings import entries
from countci.history.survey import Measured
from countci.model import (
    Change,
    CommandWork,
    Counts,
    Limit,
    Measurement,
    Output,
    Point,
    Problem,
    Query,
    Status,
)
from tests.histories import commit

QUERY = Query(suite="s", name="q", file="s.toml", work=CommandWork(command="x {n}"), digest="d")


def counted(per_ask: int, points: tuple[int, ...] = (1, 2), build: str = "b") -> Measurement:
    return Measurement(
        query="s/q",
        build=build,
        fingerprint="f",
        counts={
            "instructions": Counts(
                points=tuple(Point(n=n, total=1000 + per_ask * n) for n in points)
            )
        },
        output=Output(digest="o", size=1),
    )


def measured(number: int, per_ask: int | None) -> Measured:
    outcome = (
        Outcome(problem=Problem(problem="exit status 1"))
        if per_ask is None
        else Outcome(measurement=counted(per_ask))
    )
    return Measured(commit=commit(number), build="b", outcomes={"s/q": outcome})


def numbers(line: list[Measured]) -> dict[tuple[str, str], Fraction]:
    every = {(each.commit.sha, "s/q"): each.number("s/q", "instructions") for each in line}
    return {key: number for key, number in every.items() if number is not None}


def change(delta: float, noise: float | None = None, share: float = 0.001) -> Change:
    return Change(
        metric="instructions",
        base=100.0,
        head=100.0 * (1 + delta),
        delta=delta,
        limit=Limit(share=share),
        status=Status.PASS,
        noise=noise,
    )


@pytest.mark.parametrize(
    ("found", "is_step"),
    [
        (change(0.002), True),
        (change(-0.002), True),
        (change(0.001), False),
        (change(0.002, noise=0.003), False),
        (change(0.004, noise=0.003), True),
        (change(0.002, share=0.01), False),
    ],
)
def test_a_step_is_beyond_limit_and_noise(found: Change, *, is_step: bool) -> None:
    sides = measured(1, 100), measured(2, 101)

    assert (step_of("s/q", sides, found, (commit(2),)) is not None) == is_step


def test_what_can_not_be_compared_is_no_step() -> None:
    sides = measured(1, 100), measured(2, 101)
    found = msgspec.structs.replace(change(1.0), delta=None)

    assert step_of("s/q", sides, found, (commit(2),)) is None


def test_changes_are_held_against_the_commit_before_and_the_first() -> None:
    line = [measured(1, 100), measured(2, 150), measured(3, 75)]
    before = {
        (commit(2).sha, "s/q"): Before(commit(1).sha, ()),
        (commit(3).sha, "s/q"): Before(commit(2).sha, ()),
    }

    found = [each.readings["s/q"] for each in entries(line, numbers(line), before, ["s/q"])]

    assert [each.change for each in found] == [None, 0.5, -0.5]
    assert [each.since for each in found] == [0.0, 0.5, -0.25]


def test_a_query_that_fails_is_a_gap_with_its_reason() -> None:
    (found,) = entries([measured(1, None)], {}, {}, ["s/q"])

    assert found.readings["s/q"].per_ask is None
    assert found.readings["s/q"].problem == Problem(problem="exit status 1")


def test_an_ask_that_costs_nothing_is_a_gap() -> None:
    free = measured(1, 0)

    (found,) = entries([free], numbers([free]), {}, ["s/q"])

    assert found.readings["s/q"].per_ask is None
    assert found.readings["s/q"].problem is not None


def test_a_commit_that_is_not_built_has_no_readings() -> None:
    broken = Measured(commit=commit(1), build="b", outcomes={}, problem=Problem(problem="make"))

    (found,) = entries([broken], {}, {}, ["s/q"])

    assert found.readings == {}
    assert found.problem == Problem(problem="make")


def known(**found: tuple[Measurement, ...]) -> Known:
    return Known({(build, "d"): each for build, each in found.items()}, {"s/q": "f"})


def test_new_counts_are_taken_as_most_were() -> None:
    store = known(
        b1=(counted(1, (1, 2)),), b2=(counted(2, (4, 8)),), b3=(counted(3, (1, 2)),), b4=()
    )

    way = store.pattern(["b1", "b2", "b3", "b4"], QUERY)

    assert way == counted(3, (1, 2))


def test_where_nothing_is_known_there_is_no_pattern() -> None:
    assert known().pattern(["b1"], QUERY) is None


def test_a_count_at_other_points_is_not_the_one_that_is_asked_for() -> None:
    store = known(b1=(counted(1, (4, 8)), counted(1, (1, 2))))

    assert store.count("b1", QUERY, (1, 2)) == counted(1, (1, 2))
    assert store.count("b1", QUERY, (1, 9)) is None


def test_a_count_of_another_machine_is_not_known() -> None:
    other = msgspec.structs.replace(counted(1), fingerprint="g")

    assert known(b1=(other,)).count("b1", QUERY, (1, 2)) is None
