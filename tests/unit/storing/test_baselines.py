from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from countci.errors import MeasureError, UsageError
from countci.model import Counts, Fingerprint, Measurement, Point, Query, Recorded
from countci.storing import baselines
from tests.conftest import Golden
from tests.reports import FINGERPRINT, HEAD
from tests.unit.judging.measured import counted, query, straight

NAME = "x86_64-v3-glibc2.39-valgrind3.22.0.json"
OTHER = replace(FINGERPRINT, valgrind="3.19.0", libc="glibc 2.36")


def here(measurement: Measurement) -> Measurement:
    return replace(measurement, fingerprint=FINGERPRINT.digest)


def named(name: str, digest: str = "d" * 64) -> Query:
    return replace(query(), name=name, digest=digest)


MEASURED = (
    (named("per_branch"), here(counted((10, 1_149_090), (20, 1_298_180), (1340, 21_083_060)))),
    (named("field"), here(counted((10, 100), (20, 203), (33, 340)))),
    (named("whole"), here(counted((1, 27_071_234)))),
)
CONTENT = baselines.record(HEAD.revision, FINGERPRINT, MEASURED)


def other_file() -> bytes:
    measured = [(named("field"), replace(straight(1000), fingerprint=OTHER.digest))]
    return baselines.record(HEAD.revision, OTHER, measured)


def test_a_baseline_reads_as_recorded(golden: Golden) -> None:
    golden("tests/golden/baseline.json", CONTENT.decode())


def test_the_order_of_the_queries_and_the_stage_change_no_byte() -> None:
    elsewhere = replace(FINGERPRINT, stage="/elsewhere/stage")
    moved = [
        (each, replace(found, fingerprint=elsewhere.digest)) for each, found in reversed(MEASURED)
    ]

    assert baselines.record(HEAD.revision, elsewhere, moved) == CONTENT


def test_what_is_recorded_is_read_back_to_the_fourth_digit() -> None:
    found = baselines.read(CONTENT, name=NAME)

    assert (found.sha, found.subject) == (HEAD.revision.sha, HEAD.revision.subject)
    assert found.fingerprint == FINGERPRINT.platform
    field = found.queries["bank/field"]
    assert field.digest == "d" * 64
    assert field.metrics == {
        "instructions": Recorded(per_ask=10.5385, start_up=-5.3846, asks=(10, 20, 33))
    }
    assert found.queries["bank/whole"].metrics["instructions"].start_up is None


def test_the_allocator_of_a_python_query_is_recorded_and_of_a_command_there_is_none() -> None:
    python = replace(straight(1000), fingerprint=f"{FINGERPRINT.digest} flat-1.so")
    measured = [(named("function"), python), (named("command"), here(straight(1000)))]

    content = baselines.record(HEAD.revision, FINGERPRINT, measured)

    found = baselines.read(content, name=NAME).queries
    assert found["bank/function"].allocator == "flat-1.so"
    assert found["bank/command"].allocator == ""
    assert content.count(b"allocator") == 1


def test_a_file_of_the_form_before_is_read() -> None:
    content = CONTENT.replace(b'"schema": 2', b'"schema": 1')

    assert baselines.read(content, name=NAME).queries == baselines.read(CONTENT, name=NAME).queries


@given(
    st.lists(
        st.tuples(st.integers(1, 10**15), st.integers(1, 10**15), st.integers(2, 20_020)),
        min_size=1,
        max_size=4,
    )
)
def test_any_counts_are_read_back_as_they_are_rounded(rows: list[tuple[int, int, int]]) -> None:
    measured = []
    for number, (first, more, n) in enumerate(rows):
        points = (Point(n=1, total=first), Point(n=n, total=first + n * more + number))
        found = here(replace(counted((1, 1)), counts={"instructions": Counts(points=points)}))
        measured.append((named(f"q{number}"), found))

    read = baselines.read(baselines.record(HEAD.revision, FINGERPRINT, measured), name="x")

    for each, found in measured:
        recorded = read.queries[each.id].metrics["instructions"]
        assert recorded == Recorded.of(found.counts["instructions"])


@pytest.mark.parametrize(
    ("measurement", "problem"),
    [
        (straight(1000), "another machine"),
        (here(straight(0)), "costs no instructions"),
        (here(straight(-5)), "costs no instructions"),
    ],
)
def test_a_count_that_can_not_be_held_against_is_not_recorded(
    measurement: Measurement, problem: str
) -> None:
    with pytest.raises(MeasureError, match=problem):
        baselines.record(HEAD.revision, FINGERPRINT, [(query(), measurement)])


def test_nothing_counted_is_nothing_recorded() -> None:
    with pytest.raises(MeasureError, match="nothing to record"):
        baselines.record(HEAD.revision, FINGERPRINT, [])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "b.json:1: not JSON"),
        (CONTENT.replace(b'  "schema"', b'<<<<<<< HEAD\n  "schema"'), "not JSON.*\n.*merge"),
        (CONTENT.replace(b'"per_ask": 10.5385', b'"per_ask": 1, "per_ask": 2'), "stands .* twice"),
        (CONTENT.replace(b"10.5385", b"NaN"), "NaN is no number"),
        (CONTENT.replace(b"10.5385", b"1e999"), "per_ask: not a baseline"),
        (CONTENT.replace(b"10.5385", b"0"), "per_ask: not a baseline"),
        (CONTENT.replace(b"10.5385", b'"10"'), "per_ask: not a baseline"),
        (CONTENT.replace(b"per_ask", b"per_aks"), "unknown field `per_aks`"),
        (CONTENT.replace(b'"schema": 2', b'"schema": 3'), "form 3; this countci reads form 2"),
        (b"[" * 100_000, "b.json: not JSON"),
        (b"[]", "b.json: not a baseline"),
        (b'{"sha": "\xff"}', "b.json: not JSON"),
    ],
)
def test_what_is_no_baseline_is_refused_with_its_place_and_the_remedy(
    content: bytes, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        baselines.read(content, name="b.json")

    assert re.search(message, str(caught.value))
    assert caught.value.where.startswith("b.json")
    assert "countci baseline record" in caught.value.detail


@given(st.binary(max_size=200) | st.text().map(lambda text: json.dumps({text: text}).encode()))
def test_any_bytes_end_in_a_usage_error(content: bytes) -> None:
    with pytest.raises(UsageError):
        baselines.read(content, name="b.json")


@pytest.mark.parametrize(
    ("fingerprint", "name"),
    [
        (FINGERPRINT, NAME),
        (replace(FINGERPRINT, stage="/other", counter="2"), NAME),
        (replace(FINGERPRINT, cpu="x86-64"), "x86_64-glibc2.39-valgrind3.22.0.json"),
        (
            replace(FINGERPRINT, machine="aarch64", cpu="asimd fp"),
            "aarch64-d07759d3-glibc2.39-valgrind3.22.0.json",
        ),
        (replace(FINGERPRINT, libc="../a b"), "x86_64-v3-..ab-valgrind3.22.0.json"),
    ],
)
def test_a_file_is_named_by_its_platform(fingerprint: Fingerprint, name: str) -> None:
    assert baselines.file_name(fingerprint) == name


def test_this_platforms_file_is_found_among_others() -> None:
    files = {NAME: CONTENT, baselines.file_name(OTHER): b"broken", "README.md": b"text"}

    assert baselines.find(files, FINGERPRINT) == baselines.read(CONTENT, name=NAME)
    assert baselines.require(files, FINGERPRINT) == baselines.read(CONTENT, name=NAME)
    assert baselines.find({}, FINGERPRINT) is None


def test_without_a_baseline_of_this_platform_the_fields_that_differ_are_named() -> None:
    with pytest.raises(UsageError, match="no baseline was recorded on this platform") as caught:
        baselines.require({baselines.file_name(OTHER): other_file(), "README.md": b""}, FINGERPRINT)

    assert caught.value.where == f"baselines/{NAME}"
    assert caught.value.detail == (
        "x86_64-v3-glibc2.36-valgrind3.19.0.json is another platform's: "
        "libc: recorded with glibc 2.36, here it is glibc 2.39; "
        "valgrind: recorded with 3.19.0, here it is 3.22.0\n"
        "countci baseline record writes it; commit the file"
    )


def test_a_file_of_this_name_that_was_counted_another_way_is_refused() -> None:
    newer = replace(FINGERPRINT, counter="2")

    with pytest.raises(UsageError) as caught:
        baselines.require({NAME: CONTENT}, newer)

    assert "counter: recorded with 1, here it is 2" in caught.value.detail


def test_without_any_baseline_the_remedy_alone_is_told() -> None:
    with pytest.raises(UsageError) as caught:
        baselines.require({}, FINGERPRINT)

    assert caught.value.detail == "countci baseline record writes it; commit the file"


def test_no_system_calls_are_recorded_and_read_where_no_instructions_would_not_be() -> None:
    calls = Counts(points=(Point(n=10, total=30), Point(n=20, total=29)))
    both = replace(straight(1000), counts={**straight(1000).counts, "syscalls": calls})
    content = baselines.record(HEAD.revision, FINGERPRINT, [(named("field"), here(both))])

    found = baselines.read(content, name=NAME).queries["bank/field"].metrics["syscalls"]
    assert (found.per_ask, found.start_up) == (0, 31)
