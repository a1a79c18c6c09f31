from __future__ import annotations

from pathlib import Path

import pytest

from countci import revisions
from countci.errors import UsageError
from countci.revisions import resolve
from tests.unit.revisions.conftest import Git


def test_the_hooks_of_a_repository_lie_in_its_git_folder(git: Git, project: Path) -> None:
    (project / "src").mkdir(exist_ok=True)

    assert revisions.hook_folder(git.open(project / "src")) == project / ".git/hooks"


def test_all_worktrees_share_the_hooks(git: Git, project: Path, tmp_path: Path) -> None:
    git(project, "worktree", "add", "--quiet", str(tmp_path / "other"))

    assert revisions.hook_folder(git.open(tmp_path / "other")) == project / ".git/hooks"


def test_a_bare_repository_has_hooks_too(git: Git, project: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(project), "bare.git")

    assert revisions.hook_folder(git.open(tmp_path / "bare.git")) == tmp_path / "bare.git/hooks"


@pytest.mark.parametrize(("said", "meant"), [(".githooks", "project/.githooks"), ("~/h", "home/h")])
def test_the_setting_of_the_repository_is_respected(
    git: Git, project: Path, tmp_path: Path, said: str, meant: str
) -> None:
    git(project, "config", "core.hooksPath", said)

    assert revisions.hook_folder(git.open(project)) == tmp_path / meant


def test_a_folder_of_all_repositories_is_refused(git: Git, project: Path) -> None:
    git(project, "config", "--global", "core.hooksPath", "/shared/hooks")

    with pytest.raises(UsageError, match=r"all your repositories \(global\)") as caught:
        revisions.hook_folder(git.open(project))

    assert caught.value.where == "/shared/hooks"
    git(project, *caught.value.detail.partition(": git ")[2].split())
    assert revisions.hook_folder(git.open(project)) == project / ".git/hooks"


def test_a_folder_that_husky_writes_anew_is_refused(git: Git, project: Path) -> None:
    git(project, "config", "core.hooksPath", ".husky/_")

    with pytest.raises(UsageError, match="husky writes"):
        revisions.hook_folder(git.open(project))


def test_a_commit_is_known_to_a_remote_that_had_it(git: Git, project: Path) -> None:
    git(project, "update-ref", "refs/remotes/far/main", "HEAD~1")
    repository = git.open(project)

    known = [
        revisions.known_to(repository, resolve(repository, name), remote)
        for name, remote in [("HEAD~1", "far"), ("HEAD~2", "far"), ("HEAD", "far"), ("v1", "fa")]
    ]

    assert known == [True, True, False, False]


def test_only_a_commit_without_parents_is_a_first_one(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{project}", "shallow")
    repository, shallow = git.open(project), git.open(tmp_path / "shallow")

    assert revisions.is_first(repository, resolve(repository, "HEAD~2"))
    assert not revisions.is_first(repository, resolve(repository, "HEAD~1"))
    assert not revisions.is_first(shallow, resolve(shallow, "HEAD"))
