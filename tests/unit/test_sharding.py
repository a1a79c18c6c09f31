from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import sharding
from countci.errors import UsageError
from countci.job import Job
from countci.model import (
    Acceptance,
    CommandWork,
    Counts,
    Fingerprint,
    Limit,
    Measurement,
    Output,
    Point,
    PytestWork,
    Query,
    Reason,
    Revision,
    Suites,
)
from countci.planning import Plan
from countci.storing import record_baseline

COSTS = st.lists(st.floats(min_value=0.1, max_value=1e6), min_size=1, max_size=40)


def query(name: str, *, metrics: tuple[str, ...] = ("instructions",)) -> Query:
    suite, _, own = name.partition("/")
    work = CommandWork(command=f"./{name} {{n}}")
    return Query(suite=suite, name=own, file="q.toml", work=work, metrics=metrics, digest=name)


def of_tests(name: str) -> Query:
    suite, _, own = name.partition("/")
    work = PytestWork(args=("tests",))
    return Query(suite=suite, name=own, file="q.toml", work=work, metrics=("instructions",))


def baseline(totals: Mapping[str, int]) -> bytes:
    """Return a recorded baseline in which asking a query once takes so many instructions."""
    fingerprint = Fingerprint(
        counter="1", valgrind="3", libc="glibc", machine="x86_64", cpu="x86-64-v3", stage="/stage"
    )
    measured = [
        (
            query(name),
            Measurement(
                query=name,
                build="b",
                fingerprint=fingerprint.digest,
                counts={"instructions": Counts(points=(Point(n=1, total=total),))},
                output=Output(digest="o", size=1),
            ),
        )
        for name, total in totals.items()
    ]
    sha = "a" * 40
    revision = Revision(name="HEAD", sha=sha, tree=sha, subject="", when=0)
    return record_baseline(revision, fingerprint, measured)


def plan(*queries: Query, baselines: Mapping[str, bytes] | None = None, **more: object) -> Plan:
    nothing = cast("Any", None)
    fields: dict[str, Any] = {
        "repository": nothing,
        "places": nothing,
        "config": nothing,
        "base": nothing,
        "head": nothing,
        "suites": Suites(queries=queries, digest="digest"),
        "gone": (),
        "old": frozenset(),
        "every": queries,
        "acceptances": (),
        "baselines": baselines or {},
        "notices": (),
        "query_files": nothing,
    }
    return Plan(**{**fields, **more})


def job(shard: tuple[int, int] | None, **more: Any) -> Job:  # noqa: ANN401 - Job's own fields
    return Job(where=Path(), env={}, shard=shard, **more)


def ids(part: Plan) -> list[str]:
    return [each.id for each in part.suites.queries]


@given(COSTS, st.integers(min_value=1, max_value=9))
def test_every_query_is_on_exactly_one_shard(costs: list[float], count: int) -> None:
    shares = sharding.assign(costs, count)

    assert len(shares) == count
    assert sorted(index for share in shares for index in share) == list(range(len(costs)))
    assert all(list(share) == sorted(share) for share in shares)
    assert all(shares) or count > len(costs)


@given(COSTS, st.integers(min_value=1, max_value=9))
def test_no_shard_takes_more_than_its_part_and_one_query(costs: list[float], count: int) -> None:
    sums = [sum(costs[index] for index in share) for share in sharding.assign(costs, count)]

    assert max(sums) <= (sum(costs) / count + max(costs)) * (1 + 1e-9)


def test_the_dearest_query_is_alone_when_it_costs_as_much_as_the_others() -> None:
    assert sharding.assign([1, 1, 4, 1, 1], 2) == ((2,), (0, 1, 3, 4))


def test_equal_costs_are_dealt_out_in_turn() -> None:
    assert sharding.assign([1] * 5, 2) == ((0, 2, 4), (1, 3))


def test_what_is_recorded_tells_what_a_query_costs() -> None:
    recorded = baseline({"a/heavy": 10_000_000_000, "a/light": 1_000})

    heavy, light, unknown = sharding.seconds(
        [query("a/heavy"), query("a/light"), query("a/unknown")], {"x.json": recorded}
    )

    assert light < unknown < heavy
    assert heavy > 100


def test_a_suite_costs_what_its_tests_cost() -> None:
    recorded = baseline({f"a/suite/t.py::test_{n}": 2_000_000_000 for n in range(5)})

    suite, single = sharding.seconds(
        [of_tests("a/suite"), query("a/suite/t.py::test_1")], {"x.json": recorded}
    )

    assert suite > 4 * single


def test_a_timed_query_costs_more_than_its_count() -> None:
    counted, timed = sharding.seconds(
        [query("a/x"), query("a/y", metrics=("instructions", "time"))], {}
    )

    assert timed > counted


def test_a_baseline_that_cannot_be_read_tells_nothing() -> None:
    assert sharding.seconds([query("a/x")], {"x.json": b"{"}) == sharding.seconds(
        [query("a/x")], {}
    )


def test_without_a_shard_the_plan_is_whole() -> None:
    whole = plan(query("a/x"))

    assert sharding.cut(job(None), whole) is whole


def test_parts_are_complete_and_disjoint_and_keep_the_order() -> None:
    whole = plan(of_tests("a/suite"), *(query(f"b/{n}") for n in range(6)), gone=(query("a/gone"),))

    parts = [sharding.cut(job((number, 3)), whole) for number in (1, 2, 3)]

    assert sorted(name for part in parts for name in ids(part)) == sorted(ids(whole))
    assert all(ids(part) == [name for name in ids(whole) if name in ids(part)] for part in parts)
    assert [len(part.gone) for part in parts] == [1, 0, 0]
    shards = [part.shard for part in parts]
    assert all(shard and shard.every[-2:] == ("a/suite", "a/gone") for shard in shards)
    assert parts[0].suites.digest == "digest"
    assert parts[1].notices == (Reason(code="shard", text="shard 2 of 3: 2 of 7 queries"),)


def test_an_acceptance_is_with_the_shard_that_has_its_query() -> None:
    names = ["a/x", "a/y", "a/suite", "a/suite/t.py::test_a", "a/none"]
    accepted = tuple(
        Acceptance(commit="c", query=name, metric="instructions", reason="r", line="l")
        for name in names
    )
    whole = plan(query("a/x"), query("a/y"), of_tests("a/suite"), acceptances=accepted)

    parts = [sharding.cut(job((number, 3)), whole) for number in (1, 2, 3)]

    kept = {name: [each.query for each in part.acceptances] for part in parts for name in ids(part)}
    assert kept == {
        "a/x": ["a/x", "a/none"],
        "a/y": ["a/y"],
        "a/suite": ["a/suite", "a/suite/t.py::test_a"],
    }


def test_what_was_asked_tells_shards_of_different_questions_apart() -> None:
    whole = plan(query("a/x"))
    limits = {"time": Limit(share=0.02), "instructions": Limit(share=0.005)}

    asked = [
        sharding.cut(each, whole).shard
        for each in (job((1, 1)), job((1, 1), limits=limits), job((1, 1), metrics=("time",)))
    ]

    assert [shard.asked.replace("\u00a0", " ") for shard in asked if shard] == [
        "instructions and time, queries of head, limits: none",
        "instructions and time, queries of head, limits: instructions 0.5 %, time 2 %",
        "time, queries of head, limits: none",
    ]


def test_more_shards_than_queries_are_refused_by_all_of_them() -> None:
    for number in (1, 2, 3):
        with pytest.raises(UsageError, match="only 2 queries to share out"):
            sharding.cut(job((number, 3)), plan(query("a/x"), query("a/y")))


def test_a_shard_of_some_queries_is_refused() -> None:
    with pytest.raises(UsageError, match="of all queries"):
        sharding.cut(job((1, 2), patterns=("a",)), plan(query("a/x"), query("a/y")))
