"""A project whose benchmarks are a pytest suite: each of its tests is a query.

One repository and one cache for all: its first commit is counted once, and each test commits
a change of its own on top of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.real.bank import Repository, again
from tests.real.ledger import ledger
from tests.real.test_compare import deltas, result, statuses

pytestmark = pytest.mark.slow

# The interpreter of these tests has a pytest: no environment need be made of each commit.
CONFIG = 'build = []\nqueries = "benchmarks/queries"\n'
OWN_CONFIG = """
queries = "benchmarks/queries"
[python]
install = false
packages = ["pytest"]
"""
QUERIES = """
[query.suite]
kind = "pytest"
args = ["benchmarks"]
env.PYTHONPATH = "{build}"
env.PYTEST_DISABLE_PLUGIN_AUTOLOAD = "1"
"""
SOURCE = """
def total(n):
    result = 0
    for value in range(n):
        result |= value  # never beyond 30 bits, where each step would cost more
    return result

def names(n):
    return sorted({f"account {number}" for number in range(n)})

EXTRA = 0
"""
BENCHMARKS = """
import pytest
from pytest_codspeed import BenchmarkFixture
from ledger import EXTRA, names, total

@pytest.mark.parametrize("n", [2000, 4000])
def test_total(benchmark, n):
    assert benchmark(total, n + EXTRA)

def test_fixture(codspeed_benchmark: BenchmarkFixture) -> None:
    codspeed_benchmark(total, 2000)

@pytest.mark.codspeed_benchmark
def test_marker():
    total(2000)

@pytest.mark.benchmark
def test_names():
    names(1000)

def test_skipped(benchmark):
    pytest.skip("not here")
"""
TOP = "ledger/suite/benchmarks/test_ledger.py"
SMALL, LARGE = f"{TOP}::test_total[2000]", f"{TOP}::test_total[4000]"
FIXTURE, MARKER, NAMES = (f"{TOP}::test_{name}" for name in ("fixture", "marker", "names"))
EVERY = {SMALL, LARGE, FIXTURE, MARKER, NAMES}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return ledger(
        tmp_path_factory.mktemp("pytest_kind"),
        ledger_dot_py=SOURCE,
        countci_dot_toml=CONFIG,
        benchmarks__queries__ledger_dot_toml=f"{QUERIES}interpreter = '{sys.executable}'\n",
        benchmarks__test_ledger_dot_py=BENCHMARKS,
    )


@pytest.fixture
def repository(project: Repository) -> Repository:
    """Return the project at its first commit."""
    return again(project)


def seeds(side: dict[str, Any]) -> set[int]:
    return {each.get("seed", 0) for each in side["counts"]["instructions"].get("again", [])}


def test_more_than_the_limit_fails_exactly_the_tests_that_do_it(repository: Repository) -> None:
    repository.edit("Slower", "EXTRA = 0", "EXTRA = 30", file="ledger.py")

    ended = repository.countci("compare", "first", "HEAD")

    assert ended.code == 1, ended.out + ended.err
    assert statuses(repository) == dict.fromkeys(EVERY, "pass") | {SMALL: "fail"}
    assert deltas(repository)[SMALL] == pytest.approx(0.015, abs=0.001)
    assert abs(deltas(repository)[MARKER]) < 0.001
    assert "test_skipped is skipped: not here" in " ".join(ended.out.split())
    assert "most likely ledger.py:11 (total)" in ended.out
    assert "| EXTRA = 30" in ended.out
    comparisons: Any = result(repository)["comparisons"]
    heads = {f"ledger/{each['query']['name']}": each["head"] for each in comparisons}
    assert seeds(heads[LARGE]) >= {0, 1}  # +0.7 %: a hash seed might decide
    assert seeds(heads[FIXTURE]) == set()


def test_new_gone_skipped_and_broken_tests_are_told_apart(repository: Repository) -> None:
    text = BENCHMARKS.replace("[2000, 4000]", "[2000, 3000]").replace(
        "    names(1000)", "    assert not names(1000)"
    )
    text = text.replace("    codspeed_benchmark(total, 2000)", "    pytest.skip('too slow by now')")
    trailer = f"Countci-Accept: {LARGE} gone because 3000 says as much"
    repository.commit(f"Other sizes\n\n{trailer}", benchmarks__test_ledger_dot_py=text)

    ended = repository.countci("compare", "first", "HEAD")

    assert ended.code == 3, ended.out + ended.err
    new, passed = f"{TOP}::test_total[3000]", dict.fromkeys((SMALL, LARGE, MARKER), "pass")
    assert statuses(repository) == passed | {new: "pass", NAMES: "error", FIXTURE: "error"}
    kinds = {each["query"]: each["kind"] for each in result(repository)["verdicts"]}  # type: ignore[attr-defined]
    assert (kinds[LARGE], kinds[new]) == ("gone", "new")
    assert "AssertionError" in ended.out
    assert "skipped: too slow by now on head" in " ".join(ended.out.split())


def test_a_file_that_cannot_be_collected_is_an_error_that_names_it(repository: Repository) -> None:
    repository.edit("Broken", "def names(n):", "def names(n:", file="ledger.py")

    ended = repository.countci("compare", "first", "HEAD")

    assert ended.code == 3, ended.out + ended.err
    assert set(statuses(repository).values()) == {"error"}
    assert "SyntaxError" in ended.out
    assert "benchmarks/test_ledger.py" in ended.out


def test_a_suite_of_which_nothing_is_counted_is_never_green(repository: Repository) -> None:
    repository.commit("None left", benchmarks__test_ledger_dot_py="def test_plain(): pass\n")
    repository.git("tag", "-f", "none")
    repository.commit("Docs", README_dot_md="a ledger without benchmarks\n")

    compared = repository.countci("compare", "none", "HEAD")
    counted = repository.countci("count", "none")

    assert (compared.code, counted.code) == (3, 3), compared.out + counted.out
    assert statuses(repository) == {"ledger/suite": "error"}
    assert "none of its tests was counted" in compared.out
    assert "none of its tests was counted" in counted.out


def test_a_suite_is_counted_recorded_and_checked_test_by_test(repository: Repository) -> None:
    counted = repository.countci("count", "first", "--format", "json")
    recorded = repository.countci("baseline", "record", "first")
    repository.edit("Slower", "EXTRA = 0", "EXTRA = 30", file="ledger.py")
    checked = repository.countci("baseline", "check")

    assert counted.code == recorded.code == 0, counted.err + recorded.err
    assert {each["query"] for each in json.loads(counted.out)["measurements"]} == EVERY
    (file,) = (repository.top / "baselines").iterdir()
    known = json.loads(file.read_bytes())["queries"]
    assert known.keys() == EVERY
    assert all(each["allocator"].startswith("flat-") for each in known.values())
    assert checked.code == 1, checked.out + checked.err
    assert statuses(repository) == dict.fromkeys(EVERY, "pass") | {SMALL: "fail"}


def test_a_readme_is_proven_to_change_nothing_with_an_environment_of_each_commit(
    tmp_path: Path,
) -> None:
    made = ledger(
        tmp_path,
        ledger_dot_py=SOURCE,
        countci_dot_toml=OWN_CONFIG,
        benchmarks__queries__ledger_dot_toml=QUERIES,
        benchmarks__test_ledger_dot_py=BENCHMARKS,
    )
    made.commit("Docs", README_dot_md="a ledger, explained\n")

    first = made.countci("compare", "HEAD~1", "HEAD", "--query", f"{TOP}::test_total*")
    again = made.countci("compare", "HEAD~1", "HEAD", "--query", f"{TOP}::test_total*")

    assert first.code == again.code == 0, first.out + first.err
    assert deltas(made) == {SMALL: 0, LARGE: 0}
    comparisons: Any = result(made)["comparisons"]
    assert [each["base"]["stored"] for each in comparisons] == [True, True], again.out + again.err
    assert all(each["identity"] for each in comparisons), again.out + again.err
