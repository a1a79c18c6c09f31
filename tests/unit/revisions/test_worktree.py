from __future__ import annotations

import os
from pathlib import Path

import pytest

from countci.errors import MeasureError, UsageError
from countci.model import Revision
from countci.revisions import list_files, read_file, resolve, snapshot
from tests.unit.revisions.conftest import Git, state


@pytest.fixture
def objects(tmp_path: Path) -> Path:
    return tmp_path / "sources"


def take(git: Git, at: Path, objects: Path) -> tuple[Revision, dict[str, bytes | None]]:
    """Return the snapshot and its files, having checked that the repository is as it was."""
    before = state(at)
    revision = snapshot(git.open(at), objects)
    assert state(at) == before
    assert not list(objects.glob("tmp_*"))
    repository = git.open(at, objects)
    names = list_files(repository, revision, ".")
    return revision, {name: read_file(repository, revision, name) for name in names}


def test_uncommitted_work_of_every_kind_is_in_the_snapshot(
    git: Git, project: Path, objects: Path
) -> None:
    git.commit(project, "More", {"gone.txt": "", "old.txt": "moved\n", ".gitignore": "*.o\n"})
    (project / "gone.txt").unlink()
    git(project, "mv", "old.txt", "new.txt")
    (project / "a.txt").write_text("staged\n")
    git(project, "add", "a.txt")
    (project / "a.txt").write_text("changed\n")
    (project / "new\nfile").write_text("untracked\n")
    (project / "ignored.o").write_text("")
    (project / "src/b.txt").chmod(0o755)

    revision, files = take(git, project, objects)

    assert files == {
        ".gitignore": b"*.o\n",
        "a.txt": b"changed\n",
        "new\nfile": b"untracked\n",
        "new.txt": b"moved\n",
        "src/b.txt": b"b\n",
    }
    assert revision.name == "worktree"
    assert revision.subject == f"uncommitted work on {git(project, 'rev-parse', 'HEAD')[:12]}"


def test_a_clean_worktree_is_the_tree_of_head(git: Git, project: Path, objects: Path) -> None:
    revision, _ = take(git, project, objects)

    head = resolve(git.open(project), "HEAD")
    assert revision.tree == head.tree
    assert revision.sha != head.sha
    assert git.open(project, objects).repo.commit(revision.sha).parents[0].hexsha == head.sha


def test_only_a_repository_that_reads_the_folder_sees_the_snapshot(
    git: Git, project: Path, objects: Path
) -> None:
    revision, _ = take(git, project, objects)

    assert resolve(git.open(project, objects), revision.sha).tree == revision.tree
    with pytest.raises(UsageError, match="not in your clone"):
        resolve(git.open(project), revision.sha)


def test_equal_work_is_an_equal_commit(git: Git, project: Path, objects: Path) -> None:
    (project / "a.txt").write_text("changed\n")
    one, _ = take(git, project, objects)
    os.utime(project / "a.txt", (5, 5))
    same, _ = take(git, project, objects)
    (project / "a.txt").write_text("changed again\n")
    other, _ = take(git, project, objects)

    assert one == same
    assert other.tree != one.tree


def test_work_before_the_first_commit_has_no_parent(
    git: Git, tmp_path: Path, objects: Path
) -> None:
    unborn = git.init(tmp_path / "unborn")
    (unborn / "a.txt").write_text("1\n")

    revision, files = take(git, unborn, objects)

    assert files == {"a.txt": b"1\n"}
    assert revision.subject == "uncommitted work on nothing"
    assert not git.open(unborn, objects).repo.commit(revision.sha).parents


def test_a_linked_worktree_is_taken_with_its_own_index(
    git: Git, project: Path, tmp_path: Path, objects: Path
) -> None:
    linked = tmp_path / "linked"
    git(project, "worktree", "add", "--quiet", "--detach", str(linked), "HEAD~1")
    (linked / "a.txt").write_text("linked\n")

    revision, files = take(git, linked, objects)

    assert files == {"a.txt": b"linked\n", "src/b.txt": b"b\n"}
    assert revision.subject.endswith(git(project, "rev-parse", "HEAD~1")[:12])


def test_line_ends_that_were_committed_are_kept_in_changed_files(
    git: Git, project: Path, objects: Path
) -> None:
    (project / "dos.txt").write_bytes(b"1\r\n")
    git.commit(project, "Line ends of DOS")
    git.commit(project, "Found by git", {".gitattributes": "* text=auto\n"})
    (project / "dos.txt").write_bytes(b"1\r\n2\r\n")
    (project / "fresh.txt").write_bytes(b"1\r\n")

    _, files = take(git, project, objects)

    assert files["dos.txt"] == b"1\r\n2\r\n"
    assert files["fresh.txt"] == b"1\n"


def test_hooks_and_monitors_of_the_user_do_not_run(
    git: Git, project: Path, tmp_path: Path, objects: Path
) -> None:
    for name in ("post-index-change", "query-watchman"):
        hook = project / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran-{name}\n")
        hook.chmod(0o755)
    git(project, "config", "core.fsmonitor", ".git/hooks/query-watchman")
    (project / "a.txt").write_text("changed\n")
    for trace in tmp_path.glob("ran-*"):
        trace.unlink()

    _, files = take(git, project, objects)

    assert files["a.txt"] == b"changed\n"
    assert not list(tmp_path.glob("ran-*"))


def test_a_bare_repository_has_no_uncommitted_work(
    git: Git, project: Path, tmp_path: Path, objects: Path
) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(project), "bare.git")

    with pytest.raises(UsageError, match="bare repository"):
        snapshot(git.open(tmp_path / "bare.git"), objects)


def test_a_merge_with_conflicts_is_refused(git: Git, project: Path, objects: Path) -> None:
    git(project, "checkout", "--quiet", "-b", "topic", "HEAD~1")
    git.commit(project, "Topic", {"a.txt": "topic\n"})
    with pytest.raises(AssertionError):
        git(project, "merge", "main")

    with pytest.raises(UsageError, match="a merge is under way: 1 conflict") as caught:
        take(git, project, objects)

    assert caught.value.where == "a.txt"


def test_a_submodule_with_uncommitted_changes_is_refused(
    git: Git, project: Path, tmp_path: Path, objects: Path
) -> None:
    inner = git.init(tmp_path / "inner")
    git.commit(inner, "Inner", {"c.txt": "c\n"})
    git(project, "submodule", "--quiet", "add", str(inner), "libs/my inner")
    git.commit(project, "Submodule")
    clean, _ = take(git, project, objects)
    assert clean.tree == resolve(git.open(project), "HEAD").tree
    (project / "libs/my inner/c.txt").write_text("changed\n")

    with pytest.raises(UsageError, match="submodule with uncommitted changes") as caught:
        take(git, project, objects)

    assert caught.value.where == "libs/my inner"


def test_a_file_that_git_cannot_store_is_an_error_with_its_words(
    git: Git, project: Path, objects: Path
) -> None:
    git(project, "config", "filter.broken.clean", "false")
    git(project, "config", "filter.broken.required", "true")
    git.commit(project, "Filter", {".gitattributes": "*.bin filter=broken\n"})
    (project / "x.bin").write_text("1")

    with pytest.raises(MeasureError, match="exit status 128") as caught:
        take(git, project, objects)

    assert "x.bin" in caught.value.detail
