"""A repository of countci's own making."""

from __future__ import annotations

import os
from pathlib import Path

from countci.revisions import Made, open_repository, read_file, resolve


def test_the_same_files_give_the_same_commits_whatever_the_user_s_git_does(tmp_path: Path) -> None:
    settings = "[commit]\ngpgsign = true\n[core]\nautocrlf = true\nhooksPath = /nowhere\n"
    (tmp_path / ".gitconfig").write_text(settings)
    hostile = {**os.environ, "HOME": str(tmp_path), "GIT_DIR": str(tmp_path / "elsewhere")}

    plain = Made(top=tmp_path / "plain", env=os.environ).commit("One", {"a/b.txt": "1\n"})
    other = Made(top=tmp_path / "other", env=hostile).commit("One", {"a/b.txt": "1\n"})

    assert plain == other


def test_a_second_commit_stands_on_the_first(tmp_path: Path) -> None:
    made = Made(top=tmp_path / "made", env=os.environ)
    first = made.commit("One", {"a": "1\n", "b": "1\n"})
    second = made.commit("Two", {"a": "2\n"})

    repository = open_repository(made.top, os.environ)

    assert resolve(repository, "HEAD").sha == second
    assert resolve(repository, "HEAD~1").sha == first
    assert read_file(repository, resolve(repository, "HEAD"), "b") == b"1\n"
