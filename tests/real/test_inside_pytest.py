from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from countci.inside.plans import content_of
from tests.real.inside import INSIDE, bend, cachegrind, environment, per_ask

pytestmark = pytest.mark.slow

_SUITE = """
import os, time
import pytest
from pytest_codspeed import BenchmarkFixture

def work(n=500):
    return sum([i * i for i in range(n)])

def test_call(benchmark):
    assert benchmark(work, 300) == work(300)

def test_decorator(codspeed_benchmark: BenchmarkFixture):
    @codspeed_benchmark
    def _run():
        work()

@pytest.mark.parametrize("n", [10, 1000])
def test_sizes(benchmark, n):
    benchmark(work, n)
    assert benchmark.params == {"n": n}
    assert benchmark.stats.stats.mean == benchmark.stats["median"] == 0
    benchmark.extra_info["n"] = n

def test_prepared(benchmark):
    undone = []
    def setup():
        return (list(range(3000)),), {}
    result = benchmark.pedantic(sum, setup=setup, teardown=undone.append, rounds=9)
    assert result == sum(range(3000)) and len(undone) > 9

@pytest.mark.benchmark(group="bodies")
def test_body():
    work()

def test_no_benchmark():
    assert False

def test_twice(benchmark):
    benchmark(work)
    benchmark(work)

def test_wrong(benchmark):
    benchmark(work)
    assert False, "wrong answer"

def test_skipped(benchmark):
    pytest.skip("not here")

def test_woven(benchmark):
    benchmark.weave(work)

def test_asks_nothing(benchmark):
    pass

def test_crashes(benchmark):
    os.kill(os.getpid(), 9)

def test_sleeps(benchmark):
    benchmark(time.sleep, 0.1)

class TestInOrder:
    left = {}

    def test_first(self, benchmark):
        self.left["x"] = benchmark(work)

    def test_second(self, benchmark):
        benchmark(str, self.left["x"])
"""
_CONFTEST = """
def pytest_benchmark_update_machine_info(config, machine_info):
    raise AssertionError("nobody calls it")
"""
_SETTINGS = """
[tool.pytest.ini_options]
addopts = "--import-mode=importlib --cov=nothing --numprocesses=auto"
filterwarnings = ["error"]
"""
_THREADED = """
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()

def test_one(benchmark):
    benchmark(sum, range(1000))

def test_two(benchmark):
    benchmark(sum, range(2000))
"""

_HANGS = """
import time

def test_hangs(benchmark):
    time.sleep(1000)
"""


def _run(
    folder: Path, out: Path, *words: str, counted: bool = True, **more: str
) -> dict[str, dict[str, Any]]:
    """Return the last line of each id; the end of the suite is `""`."""
    out.mkdir(parents=True)
    env = environment(
        folder,
        COUNTCI_OUT=f"{out}/lines",
        COUNTCI_PROFILES=f"{out}/cg.%p",
        COUNTCI_JOBS="2",
        **more,
    )
    command = [
        *(cachegrind(out) if counted else ()),
        sys.executable,
        str(INSIDE / "suite.py"),
        *words,
    ]
    subprocess.run(command, env=env, cwd=folder, capture_output=True, check=False)
    lines = [json.loads(line) for line in (out / "lines").read_text().splitlines()]
    return {line.get("id", ""): line for line in lines}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("counted") / "suite"
    folder.mkdir()
    (folder / "test_a.py").write_text(_SUITE)
    (folder / "test_b.py").write_text("def nonsense(:\n")
    (folder / "conftest.py").write_text(_CONFTEST)
    (folder / "pyproject.toml").write_text(_SETTINGS)
    return folder


@pytest.fixture(scope="module")
def lines(suite: Path) -> dict[str, dict[str, Any]]:
    found = _run(suite, suite.parent / "first")
    return {test.removeprefix("test_a.py::"): line for test, line in found.items()}


def test_every_benchmark_is_there_and_nothing_else(lines: dict[str, dict[str, Any]]) -> None:
    assert set(lines) == {
        *("test_call", "test_decorator", "test_sizes[10]", "test_sizes[1000]", "test_prepared"),
        *("test_body", "test_twice", "test_wrong", "test_skipped", "test_woven"),
        *("test_asks_nothing", "test_crashes", "test_sleeps"),
        *("TestInOrder::test_first", "TestInOrder::test_second", "test_b.py", ""),
    }
    assert lines[""]["end"] == 15
    assert lines[""]["flat"]


@pytest.mark.parametrize(
    ("test", "how"),
    [
        ("test_call", "call"),
        ("test_decorator", "call"),
        ("test_sizes[1000]", "call"),
        ("test_prepared", "pedantic"),
        ("test_body", "marker"),
    ],
)
def test_each_way_of_asking_is_counted_on_a_straight_line(
    test: str, how: str, lines: dict[str, dict[str, Any]], suite: Path
) -> None:
    line = lines[test]

    assert (line["outcome"], line["how"], line["notes"]) == ("passed", how, [])
    assert per_ask(line, suite.parent / "first") > 10_000
    assert bend(line, suite.parent / "first") < 0.002


def test_a_body_and_a_fixture_that_do_the_same_cost_the_same(
    lines: dict[str, dict[str, Any]], suite: Path
) -> None:
    body, fixture = (
        per_ask(lines[test], suite.parent / "first")
        for test in ("test_body", "TestInOrder::test_first")
    )

    assert float(abs(body / fixture - 1)) < 0.01


def test_what_is_prepared_is_not_counted(lines: dict[str, dict[str, Any]], suite: Path) -> None:
    cost = per_ask(lines["test_prepared"], suite.parent / "first")

    assert cost < 3000 * 60  # making the list costs as much again


@pytest.mark.parametrize(
    ("test", "outcome", "why"),
    [
        ("test_twice", "failed", "Fixture can only be used once"),
        ("test_wrong", "failed", "wrong answer"),
        ("test_skipped", "skipped", "not here"),
        ("test_woven", "skipped", "weave"),
        ("test_asks_nothing", "unused", "without asking"),
        ("test_crashes", "failed", "killed by signal 9 (SIGKILL)"),
        ("test_b.py", "failed", "SyntaxError"),
    ],
)
def test_what_was_not_counted_says_why(
    test: str, outcome: str, why: str, lines: dict[str, dict[str, Any]]
) -> None:
    line = lines[test]

    assert line["outcome"] == outcome
    assert why in line["why"]
    assert "segments" not in line


def test_a_test_that_needs_the_ones_before_it_is_counted_in_its_class(
    lines: dict[str, dict[str, Any]],
) -> None:
    line = lines["TestInOrder::test_second"]

    assert line["outcome"] == "passed"
    assert "counted in its class" in line["notes"][0]
    assert "segments" in line


def test_a_sleeping_ask_is_named(lines: dict[str, dict[str, Any]]) -> None:
    line = lines["test_sleeps"]

    assert [note[:10] for note in line["notes"]] == ["it sleeps:"]


def test_the_same_suite_with_the_plans_of_the_first_reads_the_same(
    lines: dict[str, dict[str, Any]], suite: Path
) -> None:
    plans = {f"test_a.py::{test}": line["plan"] for test, line in lines.items() if "plan" in line}
    (suite.parent / "plans").write_bytes(content_of(plans))

    words = ("test_a.py", "-k", "call or prepared or body")
    again = _run(suite, suite.parent / "again", *words, COUNTCI_PLANS=f"{suite.parent}/plans")

    for test in ("test_call", "test_prepared", "test_body"):
        line = again[f"test_a.py::{test}"]
        assert line["plan"] == lines[test]["plan"]
        assert per_ask(line, suite.parent / "again") == pytest.approx(
            float(per_ask(lines[test], suite.parent / "first")), rel=1e-4
        )


def test_a_suite_with_threads_runs_in_one_process_in_order(suite: Path) -> None:
    folder = suite.parent / "threaded"
    folder.mkdir()
    (folder / "test_t.py").write_text(_THREADED)

    found = _run(folder, suite.parent / "threads")

    assert [*found] == ["test_t.py::test_one", "test_t.py::test_two", ""]
    for test in ("test_one", "test_two"):
        assert "threads" in found[f"test_t.py::{test}"]["notes"][0]
        assert per_ask(found[f"test_t.py::{test}"], suite.parent / "threads") > 1000


def test_a_test_that_hangs_is_ended(suite: Path) -> None:
    folder = suite.parent / "hanging"
    folder.mkdir()
    (folder / "test_h.py").write_text(_HANGS)

    found = _run(folder, suite.parent / "hangs", counted=False, COUNTCI_TIMEOUT="2")

    assert found["test_h.py::test_hangs"]["why"] == "still running after 2 s"
    assert found[""]["end"] == 1


def test_a_session_that_cannot_start_says_so(suite: Path) -> None:
    found = _run(suite, suite.parent / "bad", "--no-such-option", counted=False)

    assert found[""]["outcome"] == "failed"
    assert "end" not in found[""]
