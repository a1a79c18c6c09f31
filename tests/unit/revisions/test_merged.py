from __future__ import annotations

from pathlib import Path

import pytest

from countci import revisions
from countci.errors import MeasureError, UsageError
from countci.model import Revision
from countci.revisions import Repository, resolve
from countci.revisions import merged as module
from tests.unit.revisions.conftest import Git, state


@pytest.fixture
def forked(git: Git, project: Path) -> Path:
    """Return a project whose main and topic both went on from the third commit."""
    git(project, "checkout", "--quiet", "-b", "topic")
    git.commit(project, "On topic", {"src/b.txt": "topic\n"})
    git(project, "checkout", "--quiet", "main")
    git.commit(project, "On main", {"a.txt": "main\n"})
    git(project, "checkout", "--quiet", "topic")
    return project


def _merge(repository: Repository, objects: Path, target: str, head: str) -> Revision:
    return revisions.merge(
        repository,
        objects,
        target=resolve(repository, target),
        head=resolve(repository, head),
    )


def test_the_merge_holds_both_sides_and_descends_from_both(
    git: Git, forked: Path, tmp_path: Path
) -> None:
    repository = git.open(forked, tmp_path / "objects")

    made = _merge(repository, tmp_path / "objects", "main", "topic")

    assert revisions.read_file(repository, made, "a.txt") == b"main\n"
    assert revisions.read_file(repository, made, "src/b.txt") == b"topic\n"
    assert resolve(repository, f"{made.sha}^1").subject == "On main"
    assert resolve(repository, f"{made.sha}^2").subject == "On topic"
    git(forked, "checkout", "--quiet", "main")
    git(forked, "merge", "--quiet", "--no-edit", "topic")
    assert made.tree == git(forked, "rev-parse", "HEAD^{tree}")


def test_nothing_of_the_users_repository_changes(git: Git, forked: Path, tmp_path: Path) -> None:
    repository = git.open(forked)
    before = state(forked)

    _merge(repository, tmp_path / "objects", "main", "topic")

    assert state(forked) == before


def test_equal_sides_give_an_equal_commit(git: Git, forked: Path, tmp_path: Path) -> None:
    repository = git.open(forked)

    first = _merge(repository, tmp_path / "one", "main", "topic")

    assert _merge(repository, tmp_path / "two", "main", "topic").sha == first.sha


def test_a_branch_that_only_went_on_lands_as_it_is(git: Git, project: Path, tmp_path: Path) -> None:
    repository = git.open(project)

    made = _merge(repository, tmp_path / "objects", "HEAD~1", "HEAD")

    assert made.tree == resolve(repository, "HEAD").tree


def test_a_conflict_names_its_files_and_is_not_measured(
    git: Git, forked: Path, tmp_path: Path
) -> None:
    git.commit(forked, "Clash", {"a.txt": "topic\n", "ä b.txt": "x\n"})
    repository = git.open(forked)

    with pytest.raises(MeasureError, match="conflicts with main") as caught:
        _merge(repository, tmp_path / "objects", "main", "topic")

    assert caught.value.detail.splitlines() == [
        "a.txt",
        "resolve them on your branch first: git merge main",
    ]


def test_histories_without_a_common_commit_are_refused(
    git: Git, forked: Path, tmp_path: Path
) -> None:
    git(forked, "checkout", "--quiet", "--orphan", "alone")
    git.commit(forked, "Alone")
    repository = git.open(forked)

    with pytest.raises(UsageError, match="no commit in common with main"):
        _merge(repository, tmp_path / "objects", "main", "alone")


def test_a_git_that_is_too_old_is_named(
    git: Git, forked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_NEEDED", (99, 0))
    repository = git.open(forked)

    with pytest.raises(UsageError, match=r"needs git .* this is git version \d"):
        _merge(repository, tmp_path / "objects", "main", "topic")


def test_what_is_merged_already_is_contained(git: Git, forked: Path) -> None:
    repository = git.open(forked)
    main, topic, old = (resolve(repository, name) for name in ("main", "topic", "main~1"))

    assert revisions.contains(repository, main, old)
    assert revisions.contains(repository, main, main)
    assert not revisions.contains(repository, main, topic)


def test_the_merge_being_made_is_what_the_index_holds(
    git: Git, forked: Path, tmp_path: Path
) -> None:
    git(forked, "merge", "--quiet", "--no-commit", "main")
    (forked / "a.txt").write_text("not added\n")
    main = git(forked, "rev-parse", "main")
    repository = git.open(forked)
    before = state(forked)

    made = revisions.staged(
        repository, tmp_path / "objects", index=forked / ".git/index", merging=[main]
    )

    assert state(forked) == before
    seen = repository.with_objects(tmp_path / "objects")
    assert revisions.read_file(seen, made, "a.txt") == b"main\n"
    assert resolve(seen, f"{made.sha}^1").subject == "On topic"
    assert resolve(seen, f"{made.sha}^2").subject == "On main"


def test_a_merge_lands_on_the_default_branch_of_the_remote(git: Git, project: Path) -> None:
    assert revisions.default_target(git.open(project)) == "main"
    git(project, "update-ref", "refs/remotes/origin/main", "HEAD~1")

    assert revisions.default_target(git.open(project)) == "origin/main"


def test_without_a_default_branch_the_upstream_is_merged_into(git: Git, project: Path) -> None:
    git(project, "branch", "--move", "main", "trunk")
    with pytest.raises(UsageError, match="no default branch to merge into"):
        revisions.default_target(git.open(project))
    git(project, "checkout", "--quiet", "-b", "topic", "--track", "trunk")

    assert revisions.default_target(git.open(project)) == "@{upstream}"
