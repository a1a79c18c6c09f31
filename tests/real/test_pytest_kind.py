"""A project whose benchmarks are a pytest suite: each of its tests is a query."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.bank import Repository
from tests.real.test_compare import deltas, result, statuses

pytestmark = pytest.mark.slow

CONFIG = """
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
from ledger import EXTRA, names, total

@pytest.mark.parametrize("n", [2000, 4000])
def test_total(benchmark, n):
    assert benchmark(total, n + EXTRA)

@pytest.mark.benchmark
def test_names():
    names(1000)

def test_skipped(benchmark):
    pytest.skip("not here")
"""
TOP = "ledger/suite/benchmarks/test_ledger.py"
SMALL, LARGE = f"{TOP}::test_total[2000]", f"{TOP}::test_total[4000]"
NAMES = f"{TOP}::test_names"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(top=tmp_path / "ledger", cache=tmp_path / "cache")
    made.top.mkdir()
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.email", "ledger@example.invalid")
    made.git("config", "user.name", "Ledger")
    made.commit(
        "First",
        ledger_dot_py=SOURCE,
        countci_dot_toml=CONFIG,
        benchmarks__queries__ledger_dot_toml=QUERIES,
        benchmarks__test_ledger_dot_py=BENCHMARKS,
        README_dot_md="a ledger\n",
    )
    return made


def test_more_than_the_limit_fails_exactly_the_tests_that_do_it(repository: Repository) -> None:
    repository.edit("Slower", "EXTRA = 0", "EXTRA = 30", file="ledger.py")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 1, ended.out + ended.err
    assert statuses(repository) == {SMALL: "fail", LARGE: "pass", NAMES: "pass"}
    assert deltas(repository)[SMALL] == pytest.approx(0.015, abs=0.001)
    assert "test_skipped is skipped: not here" in " ".join(ended.out.split())


def test_a_readme_reads_exactly_0_and_the_next_run_counts_nothing(repository: Repository) -> None:
    repository.commit("Docs", README_dot_md="a ledger, explained\n")

    first = repository.countci("compare", "HEAD~1", "HEAD", "--query", f"{TOP}::test_total*")
    again = repository.countci("compare", "HEAD~1", "HEAD", "--query", f"{TOP}::test_total*")

    assert first.code == again.code == 0, first.out + first.err
    assert deltas(repository) == {SMALL: 0, LARGE: 0}
    comparisons = result(repository)["comparisons"]
    assert all(each["base"]["stored"] for each in comparisons)  # type: ignore[attr-defined]


def test_new_gone_and_broken_tests_are_told_apart(repository: Repository) -> None:
    text = BENCHMARKS.replace("[2000, 4000]", "[2000, 3000]").replace(
        "    names(1000)", "    assert not names(1000)"
    )
    trailer = f"Countci-Accept: {LARGE} gone because 3000 says as much"
    repository.commit(f"Other sizes\n\n{trailer}", benchmarks__test_ledger_dot_py=text)

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 3, ended.out + ended.err
    new = f"{TOP}::test_total[3000]"
    assert statuses(repository) == {SMALL: "pass", LARGE: "pass", new: "pass", NAMES: "error"}
    kinds = {each["query"]: each["kind"] for each in result(repository)["verdicts"]}  # type: ignore[attr-defined]
    assert (kinds[LARGE], kinds[new]) == ("gone", "new")
    assert "AssertionError" in ended.out
