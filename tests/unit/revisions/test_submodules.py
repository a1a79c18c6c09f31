from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.revisions import check_out, resolve, tree_digest
from tests.unit.revisions.conftest import Git, state

NAMES = ("leaf", "middle", "outer")


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a clone, a submodule in a submodule and all of their origins."""
    top = tmp_path_factory.mktemp("nested")
    git = Git(top / "home")
    leaf, middle, outer = (git.init(top / "origins" / name) for name in NAMES)
    git.commit(leaf, "Leaf", {"leaf.txt": "leaf 1\n"})
    git(leaf, "tag", "leaf-1")
    git(middle, "submodule", "--quiet", "add", "../leaf", "my leaf")
    git.commit(middle, "Middle", {"middle.txt": "middle\n"})
    git(outer, "submodule", "--quiet", "add", "--name", "the.middle", "../middle", "libs/middle")
    git.commit(outer, "Outer", {"outer.txt": "outer\n"})
    git(top, "clone", "--quiet", "--recurse-submodules", str(outer), "user")
    return top


@pytest.fixture
def nested(family: Path, tmp_path: Path) -> Path:
    """Return a copy of the clone, beside a copy of its origins."""
    for name in ("origins", "user"):
        shutil.copytree(family / name, tmp_path / name)
    for config in tmp_path.rglob("config"):
        config.write_text(config.read_text().replace(str(family), str(tmp_path)))
    return tmp_path / "user"


def put(git: Git, at: Path, stage: Path) -> None:
    """Check HEAD out, and that the user's repository is as it was."""
    before = state(at)
    repository = git.open(at)
    check_out(repository, resolve(repository, "HEAD"), stage)
    assert state(at) == before


def commits(git: Git, at: Path) -> list[str]:
    """Return commit and path of each submodule, without the branch that it is on."""
    lines = git(at, "submodule", "status", "--recursive").splitlines()
    return [line.strip().rpartition(" (")[0] for line in lines]


def test_submodules_of_submodules_are_checked_out_offline(
    git: Git, nested: Path, tmp_path: Path
) -> None:
    stage = tmp_path / "stage"
    (tmp_path / "origins").rename(tmp_path / "gone")

    put(git, nested, stage)

    leaf = stage / "libs/middle/my leaf"
    assert (leaf / "leaf.txt").read_text() == "leaf 1\n"
    assert {
        (stage / name).lstat().st_mtime for name in ("outer.txt", "libs/middle/middle.txt")
    } == {1e9}
    assert git(stage, "status", "--porcelain") == ""
    assert commits(git, stage) == commits(git, nested)
    assert git(leaf, "describe", "--tags") == "leaf-1"


def test_the_tree_with_its_submodules_can_be_renamed(
    git: Git, nested: Path, tmp_path: Path
) -> None:
    put(git, nested, tmp_path / "stage")

    moved = (tmp_path / "stage").rename(tmp_path / "moved")

    assert git(moved, "status", "--porcelain") == ""
    assert git(moved / "libs/middle/my leaf", "status", "--porcelain") == ""


def test_a_build_that_updates_its_submodules_finds_them_up_to_date(
    git: Git, nested: Path, tmp_path: Path
) -> None:
    (tmp_path / "origins").rename(tmp_path / "gone")
    put(git, nested, tmp_path / "stage")

    git(tmp_path / "stage", "submodule", "update", "--init", "--recursive")

    assert (tmp_path / "stage/libs/middle/my leaf/leaf.txt").is_file()


def test_a_linked_worktree_uses_the_submodules_of_the_main_one(
    git: Git, nested: Path, tmp_path: Path
) -> None:
    git(nested, "worktree", "add", "--quiet", str(tmp_path / "linked"))

    put(git, tmp_path / "linked", tmp_path / "stage")

    assert (tmp_path / "stage/libs/middle/my leaf/leaf.txt").is_file()


def test_a_submodule_with_its_own_git_folder_is_found(
    git: Git, project: Path, tmp_path: Path
) -> None:
    inner = git.init(project / "inner")
    git.commit(inner, "Inner", {"c.txt": "c\n"})
    git(project, "submodule", "--quiet", "add", "./inner", "inner")
    git.commit(project, "By hand")

    put(git, project, tmp_path / "stage")

    assert (tmp_path / "stage/inner/c.txt").read_text() == "c\n"


@pytest.mark.usefixtures("nested")
def test_a_submodule_that_is_not_initialised_is_an_error_with_its_remedy(
    git: Git, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", str(tmp_path / "origins/outer"), "bare-bones")
    user = tmp_path / "bare-bones"

    with pytest.raises(UsageError, match="not initialised") as caught:
        put(git, user, tmp_path / "stage")

    assert caught.value.where == "libs/middle"
    git(user, *caught.value.detail.split()[1:])
    put(git, user, tmp_path / "again")


def test_a_submodule_s_commit_that_is_missing_is_fetched_by_the_command_of_the_error(
    git: Git, nested: Path, tmp_path: Path
) -> None:
    middle, outer = tmp_path / "origins/middle", tmp_path / "origins/outer"
    git.commit(middle, "Later", {"middle.txt": "later\n"})
    git(outer / "libs/middle", "pull", "--quiet")
    git.commit(outer, "Moves its submodule")
    git(nested, "pull", "--quiet", "--no-recurse-submodules")

    with pytest.raises(UsageError, match="not in your clone") as caught:
        put(git, nested, tmp_path / "stage")

    assert caught.value.where == "libs/middle"
    git(nested, *caught.value.detail.split()[1:])
    put(git, nested, tmp_path / "again")
    assert (tmp_path / "again/libs/middle/middle.txt").read_text() == "later\n"


def test_a_link_that_gitmodules_does_not_name_stays_an_empty_folder(
    git: Git, project: Path, tmp_path: Path
) -> None:
    head = git(project, "rev-parse", "HEAD")
    git(project, "update-index", "--add", "--cacheinfo", f"160000,{head},stray")
    git(project, "commit", "--quiet", "-m", "A stray link")

    put(git, project, tmp_path / "stage")

    assert list((tmp_path / "stage/stray").iterdir()) == []


def test_a_name_that_leads_out_of_the_repository_is_refused(git: Git, tmp_path: Path) -> None:
    project = git.init(tmp_path / "project")
    git.commit(project, "First")
    head = git(project, "rev-parse", "HEAD")
    text = '[submodule "../../evil"]\n\tpath = sub\n\turl = ./sub\n'
    git(project, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    (project / ".gitmodules").write_text(text)
    git(project, "add", ".gitmodules")
    git(project, "commit", "--quiet", "-m", "Evil")

    with pytest.raises(UsageError, match="no safe name"):
        put(git, project, tmp_path / "stage")


def test_a_submodule_s_commit_is_part_of_the_digest(git: Git, nested: Path) -> None:
    repository = git.open(nested)
    before = resolve(repository, "HEAD")
    git.commit(nested / "libs/middle", "Moved")
    git.commit(nested, "Moves its submodule")
    after = resolve(repository, "HEAD")

    for paths in ([], ["libs"], ["libs/middle"]):
        assert tree_digest(repository, before, paths) != tree_digest(repository, after, paths)
    assert tree_digest(repository, before, ["outer.txt"]) == tree_digest(
        repository, after, ["outer.txt"]
    )
