from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.real.inside import bend, environment, per_ask, pythons, run_function

pytestmark = pytest.mark.slow

_MODULE = """
import os, time

def many():
    return list(range(3000))

def squares(numbers):
    return sum([n * n for n in numbers])

def words():
    return {str(n): [n] for n in range(500)}

def tiny():
    return 1

class Node:
    def __init__(self):
        self.me = self

def cycles():
    return len([Node() for _ in range(300)])

async def awaits():
    import asyncio

    await asyncio.gather(*(asyncio.sleep(0) for _ in range(5)))

def says():
    print("hello")
    return [3, object()]

def sleeps():
    time.sleep(0.1)

def fails():
    raise KeyError("this one")

def leaves():
    os._exit(0)

def stops():
    raise SystemExit(0)
"""
_UNRELATED = '''
def unrelated(a, b=(1, 2, 3), *, c="an unrelated function"):
    """Nothing calls it."""
    return [x for x in (a, b, c) if x not in {"p", "q"}]
'''


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "work.py").write_text(_MODULE)
    return environment(folder)


@pytest.mark.parametrize("python", pythons())
def test_a_function_counts_the_same_twice_on_a_straight_line(
    python: str, tmp_path: Path, env: dict[str, str]
) -> None:
    words = ["--function", "work:squares", "--setup", "work:many", "--points", "auto"]

    first, second = (run_function(words, tmp_path / name, env, python=python) for name in "ab")

    assert first["flat"]
    assert first["answer"] == second["answer"]
    assert first["plan"] == second["plan"]
    assert per_ask(first, tmp_path / "a") == per_ask(second, tmp_path / "b") > 100_000
    assert bend(first, tmp_path / "a") < 0.001


@pytest.mark.parametrize("name", ["words", "tiny", "awaits"])
def test_a_line_is_straight_whatever_is_asked(
    name: str, tmp_path: Path, env: dict[str, str]
) -> None:
    found = run_function(["--function", f"work:{name}", "--points", "auto"], tmp_path / "a", env)

    assert bend(found, tmp_path / "a") < 0.001


def test_a_given_plan_reads_what_a_chosen_one_reads(tmp_path: Path, env: dict[str, str]) -> None:
    chosen = run_function(["--function", "work:words", "--points", "auto"], tmp_path / "a", env)
    warm, points = chosen["plan"]
    words = ["--warm", str(warm), "--points", ",".join(map(str, points))]

    given = run_function(["--function", "work:words", *words], tmp_path / "b", env)

    assert per_ask(given, tmp_path / "b") == per_ask(chosen, tmp_path / "a")


def test_an_unrelated_function_moves_a_count_by_less_than_half_a_percent(
    tmp_path: Path, env: dict[str, str]
) -> None:
    words = ["--function", "work:words", "--points", "4,8,16"]
    before = per_ask(run_function(words, tmp_path / "a", env), tmp_path / "a")
    with (tmp_path / "project" / "work.py").open("a") as module:
        module.write(_UNRELATED)

    after = per_ask(run_function(words, tmp_path / "b", env), tmp_path / "b")

    assert float(abs(after / before - 1)) < 0.005


def test_the_garbage_that_an_ask_leaves_is_counted_unless_switched_off(
    tmp_path: Path, env: dict[str, str]
) -> None:
    words = ["--function", "work:cycles", "--points", "4,8,16"]

    each = run_function(words, tmp_path / "a", env)
    off = run_function([*words, "--collector", "off"], tmp_path / "b", env)

    assert per_ask(each, tmp_path / "a") > per_ask(off, tmp_path / "b") * 11 / 10


def test_what_a_function_prints_and_returns_is_told(tmp_path: Path, env: dict[str, str]) -> None:
    found = run_function(["--function", "work:says", "--points", "4,8,16"], tmp_path / "a", env)

    assert found["answer"][1] == len("hello\n")


@pytest.mark.parametrize(
    ("name", "problem", "detail"),
    [
        ("fails", "work:fails raises KeyError", "this one"),
        ("stops", "work:stops raises SystemExit", "in stops"),
        ("gone", "work has no gone", "it has: "),
    ],
)
def test_what_goes_wrong_is_data(
    name: str, problem: str, detail: str, tmp_path: Path, env: dict[str, str]
) -> None:
    words = ["--function", f"work:{name}", "--points", "4,8,16"]

    found = run_function(words, tmp_path / "a", env)

    assert found["problem"] == problem
    assert detail in found["detail"]
    assert "segments" not in found


def test_a_function_that_ends_the_process_leaves_no_file(
    tmp_path: Path, env: dict[str, str]
) -> None:
    with pytest.raises(FileNotFoundError):
        run_function(["--function", "work:leaves", "--probe"], tmp_path / "a", env)


def test_an_ask_that_sleeps_is_made_seldom_and_named(tmp_path: Path, env: dict[str, str]) -> None:
    found = run_function(["--function", "work:sleeps", "--points", "auto"], tmp_path / "a", env)

    assert found["plan"] == [2, [1, 2, 4]]
    assert found["sleeps"]


@pytest.mark.parametrize("python", pythons())
def test_a_probe_and_a_timed_run_say_how_long_an_ask_takes(
    python: str, tmp_path: Path, env: dict[str, str]
) -> None:
    del env["LD_PRELOAD"]
    words = ["--function", "work:words"]

    probe = run_function([*words, "--probe"], tmp_path / "a", env, python=python)
    timed = run_function([*words, "--loops", "20"], tmp_path / "b", env, python=python)

    assert probe["seconds"] * probe["asks"] >= 0.1
    assert timed["loops"] == 20
    assert timed["seconds"] - timed["wait"] > 0
    assert timed["peak_memory"] > 1_000_000
    assert not timed["flat"]


def test_our_modules_do_not_hide_the_projects_own(tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "project" / "plan.py").write_text("def ask():\n    import asks\n    return 7\n")
    (tmp_path / "project" / "asks.py").write_text("")

    found = run_function(["--function", "plan:ask", "--probe"], tmp_path / "a", env)

    assert found["problem"] is None, found["detail"]


def test_the_test_interpreter_is_among_those_tried() -> None:
    assert os.path.realpath(sys.executable) in map(os.path.realpath, pythons())
