from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.revisions import open_repository, resolve
from tests.unit.revisions.conftest import Git


def test_a_folder_deep_inside_opens_the_repository_around_it(git: Git, project: Path) -> None:
    repository = git.open(project / "src")

    assert repository.top == project
    assert repository.common == project / ".git"
    assert repository.objects == (project / ".git/objects",)
    assert not repository.shallow


def test_a_linked_worktree_is_the_same_repository_with_a_head_of_its_own(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(project, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), "HEAD~1")

    linked, main = git.open(tmp_path / "linked"), git.open(project)

    assert linked.top == tmp_path / "linked"
    assert linked.identity == main.identity
    assert resolve(linked, "HEAD").subject == "Second"
    assert resolve(main, "HEAD").subject == "Third"


def test_a_bare_repository_has_no_top_and_resolves_names(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(project), "bare.git")

    bare = git.open(tmp_path / "bare.git")

    assert bare.top is None
    assert resolve(bare, "main~1").subject == "Second"


def test_two_repositories_have_two_identities_of_12_hex_digits(
    git: Git, project: Path, tmp_path: Path
) -> None:
    other = git.open(git.init(tmp_path / "other"))

    assert other.identity != git.open(project).identity
    assert len(bytes.fromhex(other.identity)) == 6


def test_borrowed_objects_are_listed_however_far_they_are(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", "--shared", str(project), "near")
    git(tmp_path, "clone", "--quiet", "--shared", str(tmp_path / "near"), "far")
    # Git itself writes whole paths; people write relative ones.
    (tmp_path / "near/.git/objects/info/alternates").write_text(
        "# a comment\n../../../project/.git/objects\n"
    )

    objects = git.open(tmp_path / "far").objects

    assert objects == tuple(tmp_path / name / ".git/objects" for name in ("far", "near", "project"))


def test_what_a_hook_sets_for_git_does_not_lead_elsewhere(
    git: Git, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = git.init(tmp_path / "other")
    git.commit(other, "Elsewhere")
    hook = {
        "GIT_DIR": str(other / ".git"),
        "GIT_INDEX_FILE": str(other / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_WORK_TREE": str(other),
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    }
    for name, text in hook.items():
        monkeypatch.setenv(name, text)

    repository = open_repository(project, {**git.env, **hook})

    assert repository.top == project
    assert resolve(repository, "HEAD").subject == "Third"


def test_outside_of_a_repository_the_error_says_so(git: Git, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a git repository") as caught:
        git.open(tmp_path)

    assert caught.value.where == str(tmp_path)


def test_a_path_that_is_not_there_is_an_error(git: Git, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        git.open(tmp_path / "nowhere")


def test_without_git_the_error_says_how_to_install_it(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="git is not installed") as caught:
        open_repository(project, {"PATH": str(tmp_path)})

    assert "apt install git" in caught.value.detail


def test_a_partial_clone_is_refused_and_the_commands_of_the_error_mend_it(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(project, "config", "uploadpack.allowFilter", "true")
    url = f"file://{project}"
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", "--no-checkout", url, "partial")

    with pytest.raises(UsageError, match="partial clone") as caught:
        git.open(tmp_path / "partial")

    for line in caught.value.detail.splitlines():
        if line.startswith("git "):
            git(tmp_path / "partial", *line.split()[1:])
    assert resolve(git.open(tmp_path / "partial"), "HEAD").subject == "Third"
    missing = git(tmp_path / "partial", "rev-list", "--objects", "--all", "--missing=print")
    assert "?" not in missing


def test_objects_named_by_sha256_are_refused(git: Git, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "--quiet", "--object-format=sha256")

    with pytest.raises(UsageError, match="sha256"):
        git.open(tmp_path / "new")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_user_is_refused_and_the_command_of_the_error_mends_it(
    git: Git, project: Path
) -> None:
    for path in (project, *project.rglob("*")):
        os.chown(path, 12345, 12345)

    with pytest.raises(UsageError, match="another user") as caught:
        git.open(project)

    subprocess.run(caught.value.detail.split(), env=git.env, check=True)
    assert resolve(git.open(project), "HEAD").subject == "Third"
