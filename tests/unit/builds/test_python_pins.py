from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.builds.python.pins import Pins, constraints, differences, placed

FOLDER, STAGE = Path("/cache/runs/python"), Path("/cache/stage")


def put(*lines: str, project: str = "bank") -> tuple[str, ...]:
    return placed(lines, folder=FOLDER, stage=STAGE, project=project)


@pytest.mark.parametrize(
    "line",
    [
        *(".", "-e .", ".[test]", "-e file:///cache/runs/python", "./", "/cache/runs/python"),
        *("bank @ file:///cache/runs/python", "Bank==1.2", "bank @ git+https://h/bank"),
    ],
)
def test_the_project_is_no_dependency_of_itself(line: str) -> None:
    assert put(line, "attrs==1") == ("attrs==1",)


@pytest.mark.parametrize(
    "line", ["./sub", "-e ./sub", "sub @ file:///cache/runs/python/sub", "sub/../sub @ ./sub"]
)
def test_a_folder_of_the_copy_becomes_one_of_the_stage(line: str) -> None:
    assert put(line) == ("/cache/stage/sub",)


def test_the_rest_stays_in_order_of_name() -> None:
    lines = ("pytest==8", "Attrs==1", "x @ https://h/x.zip", "/opt/other")

    assert put(*lines, project="") == ("/opt/other", "Attrs==1", "pytest==8", "x @ https://h/x.zip")


def test_only_exact_versions_hold_another_side() -> None:
    assert constraints(("a==1", "b===2", "c @ https://h/c", "/stage/sub")) == ("a==1", "b===2")


def test_equal_sets_have_no_differences_however_names_are_spelled() -> None:
    assert differences(Pins(runtime=("A_b==1",)), Pins(runtime=("a-B==1",))) == ()


def test_every_change_is_one_sentence() -> None:
    base = Pins(runtime=("a==1", "b==1", "d @ git+https://h@1"), build=("setuptools==70",))
    head = Pins(runtime=("a==2", "c==3", "d @ git+https://h@2"), build=("setuptools==70",))

    (reason,) = differences(base, head)

    assert reason.text == (
        "dependencies differ, which is part of the change: a 1 → 2, b 1 → not there, "
        "c not there → 3, d git+https://h@1 → git+https://h@2"
    )


names = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3))


@given(names, names)
def test_exactly_the_packages_that_changed_are_named(
    base: dict[str, int], head: dict[str, int]
) -> None:
    before, after = (
        Pins(build=tuple(f"{name}=={number}" for name, number in side.items()))
        for side in (base, head)
    )

    reasons = differences(before, after)

    text = reasons[0].text.partition(": ")[2] if reasons else ""
    changed = {name for name in {*base, *head} if base.get(name) != head.get(name)}
    assert {part.split()[0] for part in text.split(", ") if part} == changed
