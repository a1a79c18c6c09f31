"""log and bisect over a pytest suite, whose tests are known only once it is collected."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from countci.model import Bisection, History
from tests.real.bank import Repository
from tests.real.test_pytest_kind import QUERIES, SOURCE

pytestmark = pytest.mark.slow

_CONFIG = 'build = []\nqueries = "benchmarks/queries"\n'
_BENCHMARKS = """
from ledger import EXTRA, total

def test_small(benchmark):
    assert benchmark(total, 2000 + EXTRA)
"""
_NEWER = "\ndef test_newer(benchmark):\n    assert benchmark(total, 3000)\n"
_SMALL = "ledger/suite/benchmarks/test_ledger.py::test_small"


def test_each_test_of_a_suite_has_its_own_history(tmp_path: Path) -> None:
    made = Repository(top=tmp_path / "ledger", cache=tmp_path / "cache")
    made.top.mkdir()
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.email", "ledger@example.invalid")
    made.git("config", "user.name", "Ledger")
    made.commit(
        "First",
        ledger_dot_py=SOURCE,
        countci_dot_toml=_CONFIG,
        benchmarks__queries__ledger_dot_toml=f"{QUERIES}interpreter = '{sys.executable}'\n",
        benchmarks__test_ledger_dot_py=_BENCHMARKS,
    )
    slower = made.edit("Slower", "EXTRA = 0", "EXTRA = 60", file="ledger.py")
    made.commit("A newer test", benchmarks__test_ledger_dot_py=_BENCHMARKS + _NEWER)

    logged = made.countci("log", "HEAD", "--format", "json")
    searched = made.countci("bisect", "HEAD~2", "HEAD", _SMALL, "--no-explain", "--format", "json")

    assert logged.code == 0, logged.err
    found = msgspec.json.decode(logged.out, type=History)
    assert _SMALL in found.queries
    assert [(step.query, step.commit.sha) for step in found.steps] == [(_SMALL, slower)]
    having = [len(entry.readings) for entry in found.entries]
    assert having == [1, 1, 2]
    assert searched.code == 0, searched.err
    (step,) = msgspec.json.decode(searched.out, type=Bisection).steps
    assert step.commit.sha == slower
