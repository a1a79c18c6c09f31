from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from countci import merging
from countci.errors import MeasureError
from countci.judging import worst
from countci.model import Explanation, Kind, Problem, Reason, Report, Shard, Status
from tests.reports import BASE, FAILED, FINGERPRINT, SLOWER

UNUSED = Reason(code="acceptance-unused", text="nothing to accept")
EVERY = tuple(verdict.query for verdict in FAILED.verdicts)


def cut(whole: Report, owners: list[int], count: int) -> list[Report]:
    """Return what `count` shards would report; `owners` says which has each verdict."""
    return [
        _part(whole, [n for n, each in enumerate(owners) if each == number], number, count)
        for number in range(1, count + 1)
    ]


def _part(whole: Report, indices: list[int], number: int, count: int) -> Report:
    verdicts = tuple(whole.verdicts[index] for index in indices)
    own = tuple(verdict.query for verdict in verdicts)
    return replace(
        whole,
        verdicts=verdicts,
        comparisons=tuple(whole.comparisons[index] for index in indices),
        explanations=tuple(each for each in whole.explanations if each.query in own),
        notices=(*whole.notices, Reason(code="shard", text=f"shard {number} of {count}")),
        status=worst(verdict.status for verdict in verdicts),
        command=f"countci compare main HEAD --shard {number}/{count}",
        shard=Shard(
            number=number,
            count=count,
            queries=own,
            every=tuple(verdict.query for verdict in whole.verdicts),
            asked="all",
        ),
    )


def named(parts: list[Report]) -> dict[str, Report]:
    return {f"{number}.json": part for number, part in enumerate(parts, 1)}


@pytest.fixture
def parts() -> list[Report]:
    return cut(FAILED, [1, 2, 1, 3, 2, 3, 1, 1], 3)


@given(
    st.lists(st.integers(1, 3), min_size=len(EVERY), max_size=len(EVERY)),
    st.permutations([0, 1, 2]),
)
def test_the_merged_report_is_the_one_of_a_single_machine(
    owners: list[int], order: list[int]
) -> None:
    parts = cut(FAILED, owners, 3)

    merged = merging.merge(named([parts[index] for index in order]), 3)

    assert replace(merged, merged=None) == FAILED
    assert merged.merged is not None
    assert merged.merged.shards == 3
    assert merged.merged.seconds == pytest.approx(3 * FAILED.seconds)


def test_a_shard_that_could_not_be_built_is_what_is_said_of_all(parts: list[Report]) -> None:
    problem = Problem(problem="exit status 2", where="make", detail="scan.c:41: error")
    parts[1] = replace(
        parts[1],
        status=Status.ERROR,
        verdicts=(),
        comparisons=(),
        explanations=(),
        fingerprint=None,
        problem=problem,
    )

    merged = merging.merge(named(parts), 3)

    assert (merged.status, merged.problem, merged.shard) == (Status.ERROR, problem, None)
    assert merged.command == "countci compare main HEAD"


def test_one_shard_is_all_there_is() -> None:
    merged = merging.merge(named(cut(SLOWER, [1, 1, 1], 1)), 1)

    assert replace(merged, merged=None) == SLOWER


def test_the_tests_of_a_suite_stay_where_the_suite_is() -> None:
    names = ["a/suite/t.py::b", "a/suite/t.py::a", "a/suite/u.py::a"]
    suite = replace(
        FAILED,
        verdicts=tuple(replace(FAILED.verdicts[n], query=name) for n, name in enumerate(names)),
        comparisons=FAILED.comparisons[:3],
    )
    every = ("bank/field", "a/suite", "a/suite-2", "bank/old")
    first, second = cut(FAILED, [1, 0, 0, 0, 0, 0, 0, 1], 2)[0], suite
    last = _part(FAILED, [1], 3, 3)
    verdict = replace(last.verdicts[0], query="a/suite-2")
    results = [
        replace(first, shard=_shard(1, ("bank/field", "bank/old"), every)),
        replace(second, shard=_shard(2, ("a/suite",), every)),
        replace(last, verdicts=(verdict,), shard=_shard(3, ("a/suite-2",), every)),
    ]

    merged = merging.merge(named(results), 3)

    assert [each.query for each in merged.verdicts] == [
        "bank/field",
        *names,
        "a/suite-2",
        "bank/old",
    ]


def _shard(number: int, queries: tuple[str, ...], every: tuple[str, ...]) -> Shard:
    return Shard(number=number, count=3, queries=queries, every=every, asked="all")


def test_a_shard_that_fails_fails_the_whole(parts: list[Report]) -> None:
    assert [part.status.value for part in parts] == ["error", "unsettled", "pass"]

    assert merging.merge(named(parts), 3).status.value == "error"


def test_each_notice_is_there_once_and_what_was_unused_last(parts: list[Report]) -> None:
    skipped = Reason(code="skipped", text="a test is skipped")
    parts[0] = replace(parts[0], notices=(*parts[0].notices, UNUSED))
    parts[2] = replace(parts[2], notices=(*parts[2].notices, skipped, skipped))

    assert merging.merge(named(parts), 3).notices == (*FAILED.notices, skipped, UNUSED)


def test_explanations_are_worst_first(parts: list[Report]) -> None:
    first, second = (
        Explanation(query=name, base=1, head=2) for name in ("bank/found", "bank/field")
    )
    parts[1] = replace(parts[1], explanations=(first,))
    parts[0] = replace(parts[0], explanations=(second,))

    assert merging.merge(named(parts), 3).explanations == (second, first)


def test_a_build_was_cached_only_where_every_shard_had_it(parts: list[Report]) -> None:
    built = replace(BASE, build_cached=False, build_seconds=99.0)
    parts[1] = replace(parts[1], base=built, seconds=500.0)

    merged = merging.merge(named(parts), 3)

    assert (merged.base.build_cached, merged.base.build_seconds) == (False, 99.0)
    assert merged.seconds == 500.0


@pytest.mark.parametrize(
    "typed",
    [
        "countci compare main 'a b' --shard 1/3 --no-time --output one.json",
        "countci compare --shard=1/3 main 'a b' --output=one.json --no-time",
        "countci compare main 'a b' --no-time --output one.json --output one.md --shard 1/3",
    ],
)
def test_what_repeats_the_whole_has_nothing_of_one_shard(parts: list[Report], typed: str) -> None:
    parts[0] = replace(parts[0], command=typed)

    merged = merging.merge(named(parts), 3)

    assert merged.command == "countci compare main 'a b' --no-time"


def test_what_no_machine_can_measure_makes_the_whole_neither_green_nor_red(
    parts: list[Report],
) -> None:
    unable = [
        replace(
            part,
            status=Status.ERROR,
            verdicts=tuple(
                replace(each, kind=Kind.UNMEASURABLE, status=Status.UNSETTLED)
                for each in part.verdicts
            ),
        )
        for part in parts
    ]
    fine = replace(parts[0].verdicts[0], kind=Kind.BOTH, status=Status.PASS)
    some = [replace(unable[0], verdicts=(fine, *unable[0].verdicts[1:])), *unable[1:]]

    assert merging.merge(named(some), 3).status is Status.PASS
    assert merging.merge(named(unable), 3).status is Status.ERROR


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_missing_shard_is_an_error(parts: list[Report], missing: int) -> None:
    del parts[missing]

    with pytest.raises(MeasureError, match=f"shard {missing + 1} of 3 left no result"):
        merging.merge(named(parts), 3)


def test_a_doubled_shard_is_an_error(parts: list[Report]) -> None:
    with pytest.raises(MeasureError, match="shard 2 is there twice") as caught:
        merging.merge(named([*parts, parts[1]]), 3)

    assert caught.value.where == "2.json and 4.json"


def test_another_number_of_shards_is_an_error(parts: list[Report]) -> None:
    with pytest.raises(MeasureError, match="shard 1 of 3, not of 4"):
        merging.merge(named(parts), 4)


def test_a_whole_report_is_no_shard(parts: list[Report]) -> None:
    with pytest.raises(MeasureError, match="not the result of a shard"):
        merging.merge(named([*parts[:2], FAILED]), 3)


def _other_variant(report: Report) -> Report:
    return replace(report, head=replace(report.head, variant="evented"))


def _other_side(report: Report, side: str) -> Report:
    revision = replace(getattr(report, side).revision, sha="f" * 40)
    return replace(report, **{side: replace(getattr(report, side), revision=revision)})


@pytest.mark.parametrize(
    ("change", "named_as"),
    [
        (lambda each: _other_side(each, "base"), "base"),
        (lambda each: _other_side(each, "head"), "head"),
        (lambda each: replace(each, suites="other"), "set of query files"),
        (_other_variant, "head"),
        (lambda each: replace(each, countci="9.9"), "countci"),
        (lambda each: replace(each, fingerprint=replace(FINGERPRINT, libc="x")), "platform"),
        (lambda each: replace(each, fingerprint=None), "platform"),
        (lambda each: replace(each, unsettled_passes=True), "setting of unsettled"),
        (lambda each: replace(each, shard=replace(each.shard, asked="less")), "question"),
        (lambda each: replace(each, shard=replace(each.shard, every=EVERY[1:])), "list of queries"),
    ],
)
def test_a_shard_of_something_else_is_an_error(
    parts: list[Report], change: Callable[[Report], Report], named_as: str
) -> None:
    parts[1] = change(parts[1])

    with pytest.raises(MeasureError, match=f"of another {named_as} than 1.json") as caught:
        merging.merge(named(parts), 3)

    assert caught.value.where == "2.json"


def test_another_path_of_the_stage_is_no_other_platform(parts: list[Report]) -> None:
    parts[1] = replace(parts[1], fingerprint=replace(FINGERPRINT, stage="/elsewhere/stage"))

    assert replace(merging.merge(named(parts), 3), merged=None) == FAILED


def test_a_query_that_two_shards_measured_is_an_error(parts: list[Report]) -> None:
    one, two = parts[0].shard, parts[1].shard
    assert one is not None
    assert two is not None
    parts[1] = replace(parts[1], shard=replace(two, queries=(*two.queries, one.queries[0])))

    with pytest.raises(MeasureError, match=f"{one.queries[0]}: measured by more than one"):
        merging.merge(named(parts), 3)


def test_a_query_that_no_shard_measured_is_an_error(parts: list[Report]) -> None:
    two = parts[1].shard
    assert two is not None
    parts[1] = replace(parts[1], shard=replace(two, queries=two.queries[1:]))

    with pytest.raises(MeasureError, match=f"{two.queries[0]}: measured by no shard"):
        merging.merge(named(parts), 3)


def test_a_shard_without_a_verdict_of_its_query_is_an_error(parts: list[Report]) -> None:
    lost = parts[2].verdicts[0].query
    parts[2] = replace(
        parts[2], verdicts=parts[2].verdicts[1:], comparisons=parts[2].comparisons[1:]
    )

    with pytest.raises(MeasureError, match=f"3.json: without a verdict of {lost}"):
        merging.merge(named(parts), 3)


def test_a_verdict_of_a_query_that_is_not_the_shards_is_an_error(parts: list[Report]) -> None:
    stray = parts[0].verdicts[0]
    parts[2] = replace(
        parts[2],
        verdicts=(*parts[2].verdicts, stray),
        comparisons=(*parts[2].comparisons, parts[0].comparisons[0]),
    )

    with pytest.raises(MeasureError, match=f"{stray.query} is no query of this shard"):
        merging.merge(named(parts), 3)


def test_a_shard_is_written_to_json_and_read_back(parts: list[Report]) -> None:
    assert msgspec.json.decode(msgspec.json.encode(parts[0]), type=Report) == parts[0]
