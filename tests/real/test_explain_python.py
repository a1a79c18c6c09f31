"""Where a difference of a Python query comes from, said in Python's own words."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from tests.real.bank import Repository, again
from tests.real.ledger import ledger

pytestmark = pytest.mark.slow

CONFIG = '[python]\ninstall = false\n[limits]\ninstructions = "1%"\n'
SUITE = """
[query.total]
kind = "python"
function = "ledger:total"
setup = "ledger:accounts"
env.PYTHONPATH = "{build}"
[query.ordered]
kind = "python"
function = "ledger:ordered"
setup = "ledger:accounts"
env.PYTHONPATH = "{build}"
"""
SOURCE = """\
SIZE = 2000


def accounts():
    return [(number * 7919) % 10007 for number in range(SIZE)]


def interest(value):
    return value * 3 % 101


def total(accounts):
    result = 0
    for value in accounts:
        result += interest(value)
    return result


def ordered(accounts):
    return sorted(accounts)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return ledger(
        tmp_path_factory.mktemp("explain_python"),
        ledger_dot_py=SOURCE,
        countci_dot_toml=CONFIG,
        queries__ledger_dot_toml=SUITE,
    )


@pytest.fixture
def repository(made: Repository) -> Repository:
    return again(made)


def one_more_call(repository: Repository) -> None:
    twice = "result += interest(value) + interest(value)"
    repository.edit("Twice", "result += interest(value)", twice, file="ledger.py")


def typed(repository: Repository, command: str) -> subprocess.CompletedProcess[str]:
    """Return what becomes of a printed command that is pasted into a shell."""
    countci = f'countci() {{ {shlex.quote(sys.executable)} -m countci "$@"; }}'
    return subprocess.run(
        ["sh", "-c", f"{countci}\n{command}"],
        cwd=repository.top,
        env={**os.environ, "XDG_CACHE_HOME": str(repository.cache)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_more_call_an_item_is_named_with_its_function_file_and_line(
    repository: Repository,
) -> None:
    one_more_call(repository)

    failed = repository.countci("compare", "HEAD~1", "HEAD", "--no-time", "--query", "ledger/total")
    asked = repository.countci("explain", "HEAD~1", "HEAD", "ledger/total")

    for ended in (failed, asked):
        assert ended.code == 1, ended.out + ended.err
        assert "caused by ledger.py:15 (total)" in ended.out
        assert "calls interest 2,000 times more an ask" in ended.out


def test_a_sort_of_more_is_below_python_and_no_function_is_blamed(repository: Repository) -> None:
    repository.edit("More", "SIZE = 2000", "SIZE = 3000", file="ledger.py")

    ended = repository.countci("explain", "HEAD~1", "HEAD", "ledger/ordered")

    assert ended.code == 1, ended.out + ended.err
    said = " ".join(ended.out.split())
    assert "the same functions, calls, lines and byte codes on both sides" in said
    assert "most likely ledger.py:1 (SIZE)" in said
    assert "caused by" not in said


def test_the_command_that_log_prints_gives_the_same_comparison(repository: Repository) -> None:
    one_more_call(repository)
    config = repository.top.parent / "my conf"
    config.mkdir(exist_ok=True)
    (config / "countci.toml").write_text(CONFIG)
    (config / "queries").mkdir(exist_ok=True)
    (config / "queries/ledger.toml").write_text(SUITE)
    given = ("--config", str(config / "countci.toml"))
    logged = repository.countci("log", "HEAD~1..HEAD", "--query", "ledger/total", *given)
    assert logged.code == 0, logged.out + logged.err
    # A configuration whose folder has a blank in its name: quoted, and longer than a line.
    printed = logged.out[logged.out.index("countci explain ") :].partition("\n\n")[0]

    ended = typed(repository, printed)

    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "caused by ledger.py:15 (total)" in ended.stdout
