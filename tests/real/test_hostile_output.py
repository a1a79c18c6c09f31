"""What a repository prints, and how it calls things, is no command to GitHub's runner."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.real.bank import Ended, Repository, bank
from tests.unit.reporting.test_markdown import OURS, bare, html, tags
from tests.unit.reporting.test_reporters import obeyed

pytestmark = pytest.mark.slow

PRINTS = "printf '::error::a\\n  ::warning::b\\nc ##[error]d\\n'"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    made.commit("::error::printed", prints=f"{PRINTS}\n{PRINTS} >&2\nexit 3\n")
    return made


def compare(repository: Repository, **env: str) -> Ended:
    return repository.countci("compare", "HEAD~1", "HEAD", "--no-time", **env)


def test_the_output_of_a_failed_build_holds_no_command_on_github(repository: Repository) -> None:
    repository.commit("##[error]build", countci_dot_toml='build = ["sh prints"]\n')

    ended = compare(repository, GITHUB_ACTIONS="true")

    assert ended.code == 3
    assert ": :error::a" in ended.err
    assert not obeyed(ended.out + ended.err)
    assert "\n  ::error::a" in compare(repository, GITHUB_ACTIONS="").err


def test_the_output_of_a_failed_query_holds_no_command_on_github(repository: Repository) -> None:
    repository.commit(
        "##[error]query", queries__bank_dot_toml='[query.field]\ncommand = "sh prints {n}"\n'
    )

    ended = compare(repository, GITHUB_ACTIONS="true")

    assert ended.code == 3
    assert "## [error]d" in ended.out
    assert not obeyed(ended.out + ended.err)


SUITE = """
import pytest
from ledger import STEPS, total

HOSTILE = ["::error::a ##[error]b", "<img src=x></details>", "c|d`e @mona #1"]

@pytest.mark.parametrize("steps", HOSTILE)
def test_total(benchmark, steps):
    assert benchmark(total, STEPS)
"""


@pytest.fixture
def suite(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    made.commit(
        "A suite",
        countci_dot_toml='[python]\ninstall = false\npackages = ["pytest"]\n',
        queries__bank_dot_toml='[query.all]\nkind = "pytest"\nargs = ["benchmarks"]\n'
        'env.PYTHONPATH = "{build}"\n',
        benchmarks__test_ledger_dot_py=SUITE,
        ledger_dot_py="STEPS = 2000\n\ndef total(n):\n    return sum(range(n)) or 1\n",
    )
    broken = "print('::error::b')\n    raise ValueError('##[error]c @mona')"
    made.edit("Broken", "return sum(range(n)) or 1", broken, file="ledger.py")
    return made


def test_names_of_tests_are_no_command_no_markup_and_no_ping(
    suite: Repository, tmp_path: Path
) -> None:
    files = [tmp_path / f"report.{suffix}" for suffix in ("md", "html", "xml", "json")]
    outputs = [f"--output={file}" for file in files]
    summary = tmp_path / "summary"

    ended = suite.countci("compare", "HEAD~1", "HEAD", "--no-time", *outputs, GITHUB_ACTIONS="true")
    shown = suite.countci(
        *("github", "report", str(files[3])),
        GITHUB_ACTIONS="true",
        GITHUB_STEP_SUMMARY=str(summary),
    )

    assert (ended.code, shown.code) == (3, 3), ended.err
    assert not obeyed(ended.out + ended.err)
    ours = [line for line in shown.out.splitlines() if line.startswith("::error ")]
    assert obeyed(shown.out) == ours
    assert len(ours) == 3
    for markdown in (files[0], summary):
        page = html(markdown.read_text())
        assert tags(page) <= OURS
        assert not re.search(r"[@#]\w|::error", bare(page))
    assert "<img" not in files[1].read_text()
    assert len(list(fromstring(files[2].read_text()).iter("error"))) == 3  # noqa: S314 - ours
