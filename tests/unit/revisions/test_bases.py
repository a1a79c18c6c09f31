from __future__ import annotations

from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.revisions import default_base, resolve
from tests.unit.revisions.conftest import Git


def test_the_base_of_a_branch_is_where_it_left_the_default_branch(git: Git, project: Path) -> None:
    git(project, "checkout", "--quiet", "-b", "topic", "HEAD~1")
    git.commit(project, "Topic")
    repository = git.open(project)

    base = default_base(repository, resolve(repository, "HEAD"))

    assert base.subject == "Second"
    assert base.name == "merge base with main"


def test_the_remote_default_branch_goes_before_the_local_one(git: Git, project: Path) -> None:
    git(project, "update-ref", "refs/remotes/origin/trunk", "HEAD~2")
    git(project, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    repository = git.open(project)

    base = default_base(repository, resolve(repository, "HEAD"))

    assert base.subject == "First"
    assert base.name == "merge base with origin/HEAD"


@pytest.mark.parametrize(
    ("name", "base"), [("HEAD", "HEAD~1"), ("HEAD~1", "HEAD~1~1"), (":/Third", None)]
)
def test_the_base_of_a_commit_of_the_default_branch_is_its_parent(
    git: Git, project: Path, name: str, base: str | None
) -> None:
    repository = git.open(project)
    head = resolve(repository, name)

    found = default_base(repository, head)

    assert found.name == (base or f"{head.sha[:12]}~1")
    assert found == resolve(repository, found.name)


def test_the_first_commit_has_no_base(git: Git, project: Path) -> None:
    repository = git.open(project)

    with pytest.raises(UsageError, match="the first commit"):
        default_base(repository, resolve(repository, "HEAD~2"))


def test_unrelated_histories_have_no_base(git: Git, project: Path) -> None:
    git(project, "checkout", "--quiet", "--orphan", "alone")
    git.commit(project, "Alone")
    repository = git.open(project)

    with pytest.raises(UsageError, match="no commit in common with main"):
        default_base(repository, resolve(repository, "alone"))


def test_without_a_default_branch_no_base_is_guessed(git: Git, project: Path) -> None:
    git(project, "branch", "--move", "main", "trunk")
    repository = git.open(project)

    with pytest.raises(UsageError, match="no default branch") as caught:
        default_base(repository, resolve(repository, "HEAD"))

    assert "countci compare BASE HEAD" in caught.value.detail


@pytest.mark.parametrize("branch", ["topic", "main"])
def test_a_shallow_clone_without_the_base_is_mended_by_the_command_of_the_error(
    git: Git, project: Path, tmp_path: Path, branch: str
) -> None:
    git(project, "checkout", "--quiet", "-b", "topic", "HEAD~1")
    git.commit(project, "Topic")
    git(project, "checkout", "--quiet", "main")
    url = f"file://{project}"
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", "--no-tags", url, "shallow")
    shallow = git.open(tmp_path / "shallow")

    with pytest.raises(UsageError, match="shallow clone") as caught:
        default_base(shallow, resolve(shallow, f"origin/{branch}"))

    git(tmp_path / "shallow", *caught.value.detail.replace("'", "").split()[1:])
    mended = git.open(tmp_path / "shallow")
    assert default_base(mended, resolve(mended, f"origin/{branch}")).subject == "Second"
