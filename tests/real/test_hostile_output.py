"""What a repository prints, and how it calls things, is no command to GitHub's runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.bank import Ended, Repository, bank
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
