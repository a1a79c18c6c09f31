"""Functions of a Python project, counted and timed inside one process."""

from __future__ import annotations

import pytest

from tests.real.bank import Repository, again
from tests.real.ledger import ledger
from tests.real.test_compare import deltas, result, statuses

pytestmark = pytest.mark.slow

CONFIG = '[python]\ninstall = false\n[limits]\ninstructions = "1%"\n'
SUITE = """
[query.total]
kind = "python"
function = "ledger:total"
setup = "ledger:accounts"
env.PYTHONPATH = "{build}"
[query.names]
kind = "python"
function = "ledger:names"
setup = "ledger:accounts"
env.PYTHONPATH = "{build}"
"""
SOURCE = """
def accounts():
    return {f"account {number}": number % 97 for number in range(400)}

def total(accounts):
    result = 0
    for _ in range(ROUNDS):
        for value in accounts.values():
            result += value * value
    return result

def names(accounts):
    return sorted({name.upper() for name in accounts})

ROUNDS = 50
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return ledger(
        tmp_path_factory.mktemp("python_kind"),
        ledger_dot_py=SOURCE,
        countci_dot_toml=CONFIG,
        queries__ledger_dot_toml=SUITE,
    )


@pytest.fixture
def repository(made: Repository) -> Repository:
    return again(made)


def test_two_percent_more_in_one_function_fails_exactly_that_one(repository: Repository) -> None:
    repository.edit("Slower", "ROUNDS = 50", "ROUNDS = 51", file="ledger.py")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 1, ended.out + ended.err
    assert statuses(repository) == {"ledger/total": "fail", "ledger/names": "pass"}
    assert deltas(repository)["ledger/total"] == pytest.approx(0.02, abs=0.002)
    assert abs(deltas(repository)["ledger/names"]) < 0.001


def test_a_readme_reads_exactly_0_and_nothing_is_counted_on_head(repository: Repository) -> None:
    repository.commit("Docs", README_dot_md="a ledger, explained\n")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 0, ended.out + ended.err
    assert deltas(repository) == {"ledger/total": 0, "ledger/names": 0}
    assert all(each.get("head") is None for each in result(repository)["comparisons"])  # type: ignore[attr-defined]


def test_an_unrelated_edit_moves_no_other_function(repository: Repository) -> None:
    more = "\n\ndef unused(x):\n    return [y for y in (x, x, {'a': (1, 2, 3)})]\n\nROUNDS = 50"
    repository.edit("More", "\nROUNDS = 50", more, file="ledger.py")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 0, ended.out + ended.err
    assert all(abs(delta) < 0.005 for delta in deltas(repository).values())


def test_a_function_that_raises_is_an_error_with_its_traceback(repository: Repository) -> None:
    repository.edit(
        "Broken",
        "    return sorted",
        "    assert not accounts\n    return sorted",
        file="ledger.py",
    )

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 3, ended.out + ended.err
    assert statuses(repository)["ledger/names"] == "error"
    assert "AssertionError" in ended.out
    assert statuses(repository)["ledger/total"] == "pass"


def test_a_function_is_timed_inside_its_process(repository: Repository) -> None:
    repository.edit("Much slower", "ROUNDS = 50", "ROUNDS = 100", file="ledger.py")

    ended = repository.countci("time", "HEAD~1", "HEAD", "--query", "ledger/total")

    assert ended.code == 1, ended.out + ended.err
    change = result(repository)["verdicts"][0]["changes"][0]  # type: ignore[index]
    assert change["delta"] == pytest.approx(1.0, abs=0.3)
    assert change["base"] < 0.05  # seconds an ask: a whole interpreter's start would be in it
