from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from countci.errors import UsageError
from countci.judging import check, differing, gone
from countci.model import Comparison, Identity, Kind, Limit, Measurement, Problem, Status, Verdict
from tests.unit.judging.baseline import HERE, baseline, now
from tests.unit.judging.measured import NOTHING, PRINTED, counted, straight

THEN = straight(1000)
OTHER_OUTPUT = replace(PRINTED, digest="bb")


def checked(comparison: Comparison) -> Verdict:
    [found] = check(baseline(THEN), [comparison], HERE)
    return found


def texts(verdict: Verdict) -> str:
    reasons = [*verdict.reasons, *(each for change in verdict.changes for each in change.reasons)]
    return "\n".join(f"{reason.code}: {reason.text}" for reason in reasons)


@pytest.mark.parametrize(
    ("per_ask", "status", "delta"),
    [(1000, "pass", 0.0), (1010, "pass", 0.01), (1011, "fail", 0.011), (900, "pass", -0.1)],
)
def test_a_count_is_held_against_the_recorded_one_by_the_querys_limit(
    per_ask: int, status: str, delta: float
) -> None:
    found = checked(now(straight(per_ask)))

    [change] = found.changes
    assert found.status is Status(status)
    assert change.status is Status(status)
    assert (change.base, change.head) == (1000.0, float(per_ask))
    assert change.delta == pytest.approx(delta)
    assert change.reasons == ()


def test_a_querys_own_limit_holds() -> None:
    comparison = now(straight(1020))
    query = replace(comparison.query, limits={"instructions": Limit(share=0.02)})

    assert checked(replace(comparison, query=query)).status is Status.PASS


@given(st.integers(1, 10**9), st.integers(2, 10**5), st.integers(0, 10**6))
def test_equal_counts_read_exactly_zero_whatever_was_rounded(more: int, n: int, first: int) -> None:
    measurement = counted((1, first + 1), (n, first + 1 + more))
    comparison = now(measurement)
    if round((measurement.counts["instructions"].per_ask), 4) == 0:
        return

    [found] = check(baseline(measurement), [comparison], HERE)

    assert found.changes[0].delta == 0
    assert found.status is Status.PASS


def test_start_up_is_shown_and_not_judged() -> None:
    found = checked(now(straight(1000, start_up=5000)))

    assert found.status is Status.PASS
    assert (found.changes[0].start_up_base, found.changes[0].start_up_head) == (1000.0, 5000.0)


def test_another_platform_is_refused_with_the_fields_and_the_remedy() -> None:
    there = replace(HERE, valgrind="3.22.0", cpu="x86-64-v2")

    with pytest.raises(UsageError, match="another platform") as caught:
        check(baseline(THEN), [now(THEN)], there)

    assert caught.value.where == "baseline of 0b5fa1d00b"
    assert caught.value.detail == (
        "cpu: recorded with x86-64-v3, here it is x86-64-v2\n"
        "valgrind: recorded with 3.19.0, here it is 3.22.0\n"
        "countci baseline record writes one for this machine; commit it"
    )


def test_the_path_of_the_stage_is_no_other_platform() -> None:
    assert differing(baseline(THEN), replace(HERE, stage="/elsewhere")) == ()


def test_a_field_that_one_side_does_not_know_differs() -> None:
    older = replace(baseline(THEN), fingerprint={**HERE.platform, "allocator": "flat"})

    assert differing(older, HERE) == ("allocator: recorded with flat, here it is none",)


@pytest.mark.parametrize(
    ("then", "here", "remedy"),
    [
        ("f1 flat-1.so", "f1 pymalloc", "install a C compiler"),
        ("f1 flat-1.so", "f1 flat-2.so", "countci baseline record"),
        ("f1", "f1 flat-1.so", "one that the file doesn't name"),
    ],
)
def test_a_python_query_is_not_held_against_a_count_of_another_allocator(
    then: str, here: str, remedy: str
) -> None:
    recorded = baseline(straight(1000, machine=then))

    (found,) = check(recorded, [now(straight(1000, machine=here))], HERE)
    (same,) = check(recorded, [now(straight(1000, machine=then))], HERE)

    assert (found.status, found.changes) == (Status.ERROR, ())
    assert found.reasons[0].code == "other-allocator"
    assert remedy in found.reasons[0].text
    assert same.status is Status.PASS


def test_a_query_that_changed_since_is_an_error() -> None:
    found = checked(now(THEN, digest="d2"))

    assert found.status is Status.ERROR
    assert found.changes == ()
    assert "commit 0b5fa1d00b was recorded: countci baseline record" in texts(found)


def test_a_query_that_is_not_recorded_is_new_and_listed() -> None:
    [found] = check(replace(baseline(THEN), queries={}), [now(straight(1234))], HERE)

    assert (found.kind, found.status) == (Kind.NEW, Status.PASS)
    assert found.changes[0].head == 1234
    assert "new: not in the baseline; countci baseline record adds it" in texts(found)


def test_a_recorded_query_that_no_file_has_is_an_error() -> None:
    [found] = gone(baseline(THEN), {"bank/other"})

    assert (found.query, found.kind, found.status) == ("bank/field", Kind.GONE, Status.ERROR)
    assert "countci baseline record drops it" in texts(found)
    assert gone(baseline(THEN), {"bank/field"}) == ()


def test_what_could_not_be_counted_is_an_error_with_its_problem() -> None:
    problem = Problem(problem="exit status 3")

    assert checked(now(None)).status is Status.ERROR
    assert "not counted" in texts(checked(now(None)))
    assert checked(now(None, problem=problem)).problem == problem
    assert checked(now(replace(THEN, counts={}))).status is Status.ERROR


def test_a_metric_that_was_not_recorded_is_an_error() -> None:
    unrecorded = baseline(replace(THEN, counts={}))

    [found] = check(unrecorded, [now(THEN)], HERE)

    assert found.status is Status.ERROR
    assert "instructions is not in the baseline" in texts(found)


def test_what_is_proven_equal_to_base_has_bases_count() -> None:
    found = checked(now(None, base=straight(1020), identity=Identity(differs=())))

    assert found.status is Status.FAIL


@pytest.mark.parametrize(
    ("per_ask", "output", "status"),
    [
        (500, PRINTED, Status.PASS),
        (500, OTHER_OUTPUT, Status.ERROR),
        (500, NOTHING, Status.ERROR),
        (501, OTHER_OUTPUT, Status.PASS),
        (0, PRINTED, Status.ERROR),
    ],
)
def test_a_fall_to_half_needs_the_recorded_output(
    per_ask: int, output: object, status: Status
) -> None:
    assert checked(now(replace(straight(per_ask), output=output))).status is status


def test_other_points_other_output_and_whole_processes_are_told() -> None:
    assert "output-changed" in texts(checked(now(straight(1000, output=OTHER_OUTPUT))))
    elsewhere = counted((10, 11_000), (20, 21_000))
    assert "recorded at 2, 4, 8 asks, counted at 10, 20" in texts(checked(now(elsewhere)))
    whole = counted((1, 5000))
    [found] = check(baseline(whole), [now(whole)], HERE)
    assert "path of the stage" in texts(found)


def test_a_query_without_an_exact_metric_has_nothing_to_check() -> None:
    comparison = now(None)
    timed = replace(comparison, query=replace(comparison.query, metrics=("time",)))

    assert check(baseline(THEN), [timed], HERE) == ()


def test_no_system_calls_then_and_now_pass_and_the_first_one_fails() -> None:
    def calls(per_ask: int) -> Measurement:
        return replace(
            THEN, counts={**THEN.counts, "syscalls": straight(per_ask).counts["instructions"]}
        )

    def held(per_ask: int) -> list[Status]:
        comparison = now(calls(per_ask))
        asked = replace(comparison.query, metrics=("instructions", "syscalls"))
        [found] = check(baseline(calls(0)), [replace(comparison, query=asked)], HERE)
        return [change.status for change in found.changes]

    assert held(0) == [Status.PASS, Status.PASS]
    assert held(1) == [Status.PASS, Status.FAIL]
