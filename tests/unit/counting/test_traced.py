from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from countci.counting import Function, Segmented, Suite, Trace, traced
from countci.errors import MeasureError
from countci.process import Command
from countci.units import Seconds

INSIDE = Path(__file__).parents[3] / "countci" / "inside"
SOURCE = """
import helped
def ask():
    return [helped.twice(number) for number in range(7)]
def wrong():
    raise ValueError("never")
"""
TESTS = """
import pytest, helped
@pytest.mark.parametrize("number", [1, 11])
def test_twice(benchmark, number):
    benchmark(helped.twice, number)
def test_broken(benchmark):
    raise ValueError("never")
"""


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    stage = tmp_path / "stage"
    (stage / "lib").mkdir(parents=True)
    (stage / "asks.py").write_text(SOURCE)
    (stage / "test_helped.py").write_text(TESTS)
    (stage / "lib" / "helped.py").write_text("def twice(x):\n    return x + x\n")
    return stage


def command(stage: Path, words: Sequence[str], env: Mapping[str, str]) -> Command:
    return Command(
        argv=(sys.executable, *words),
        env={
            "PATH": os.defpath,
            "PYTHONPATH": f"{stage}:{stage / 'lib'}",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            **env,
        },
        cwd=stage,
        timeout=Seconds(20.0),
    )


def function(stage: Path, name: str) -> Segmented:
    runner = (str(INSIDE / "runner.py"), "--function", f"asks:{name}")
    return Segmented(
        query="asks",
        build="b",
        fingerprint="f",
        runner=lambda words: command(stage, (*runner, *words), {}),
        flat=False,
        stage=stage,
        folder=stage.parent / "run",
        points=(4, 8, 16),
    )


def one_test(stage: Path, test: str) -> Suite:
    words = (str(INSIDE / "suite.py"), "test_helped.py")
    return Suite(
        query="unit/helped",
        build="b",
        fingerprint="f",
        runner=lambda env: command(stage, words, env),
        flat=False,
        stage=stage,
        folder=stage.parent / "run",
        jobs=1,
        timeout=Seconds(20.0),
        patterns=(f"unit/helped/{test}",),
        points={test: (4, 8, 16)},
    )


def named(trace: Trace, name: str) -> Function:
    return next(each for each in trace.functions if each.name == name)


def test_a_function_is_traced_where_it_lies_below_the_stage(stage: Path) -> None:
    trace = traced(function(stage, "ask"))

    assert trace.byte_codes
    assert named(trace, "ask").file == "asks.py"
    assert named(trace, "twice").file == "lib/helped.py"
    assert named(trace, "twice").calls == 7
    assert named(trace, "twice").lines[-1][:2] == (2, 7)


def test_a_trace_repeats_and_leaves_nothing_behind(stage: Path) -> None:
    first = traced(function(stage, "ask"))

    assert traced(function(stage, "ask")) == first
    assert sorted(path.name for path in stage.parent.iterdir()) == ["stage"]


def test_a_function_that_raises_is_an_error_with_its_story(stage: Path) -> None:
    with pytest.raises(MeasureError, match="wrong raises ValueError") as caught:
        traced(function(stage, "wrong"))

    assert "never" in caught.value.detail


def test_one_test_of_a_suite_is_traced_and_no_other(stage: Path) -> None:
    trace = traced(one_test(stage, "test_helped.py::test_twice[1]"))

    assert {each.name for each in trace.functions} == {"twice"}
    assert trace.calls == ((None, 0, 1),)


def test_a_test_that_fails_is_an_error_with_what_pytest_said(stage: Path) -> None:
    with pytest.raises(MeasureError, match="not traced") as caught:
        traced(one_test(stage, "test_helped.py::test_broken"))

    assert caught.value.where.endswith("suite.py test_helped.py")
