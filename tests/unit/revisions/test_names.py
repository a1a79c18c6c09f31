from __future__ import annotations

import hashlib
import itertools
from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.revisions import resolve
from tests.unit.revisions.conftest import Git


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("HEAD", "Third"),
        ("main", "Third"),
        ("refs/heads/main", "Third"),
        ("@", "Third"),
        ("HEAD~1", "Second"),
        ("HEAD~2", "First"),
        ("HEAD^", "Second"),
        ("v1", "Second"),
        ("v1^{commit}", "Second"),
        ("light", "First"),
        ("nested", "Second"),
        (":/Sec", "Second"),
        (":/Second", "Second"),
        ("HEAD^{/First}", "First"),
        ("v1-1-gSHORT", "Third"),
        ("SHORT", "Third"),
        ("WHOLE", "Third"),
    ],
)
def test_each_kind_of_name_gives_its_commit(
    git: Git, project: Path, name: str, subject: str
) -> None:
    git(project, "tag", "light", "HEAD~2")
    git(project, "tag", "-a", "nested", "v1", "-m", "a tag of a tag")
    sha = git(project, "rev-parse", "HEAD")
    name = name.replace("SHORT", sha[:7]).replace("WHOLE", sha)

    revision = resolve(git.open(project), name)

    assert revision.subject == subject
    assert revision.name == name
    assert revision.sha == git(project, "rev-parse", f":/{subject}")
    assert revision.tree == git(project, "rev-parse", f"{revision.sha}^{{tree}}")
    assert revision.when == 1_700_000_000


def test_a_branch_whose_name_begins_like_an_option_is_a_branch(git: Git, project: Path) -> None:
    git(project, "update-ref", "refs/heads/--help", "HEAD~1")

    assert resolve(git.open(project), "--help").subject == "Second"


@pytest.mark.parametrize(
    "name", ["--all", "-n1", "", "a\nb", "a\0b", "no such", "x y 3", "\udcff", "@{u}", "HEAD^9"]
)
def test_a_name_that_means_nothing_is_an_error_and_leaves_the_next_one_right(
    git: Git, project: Path, name: str
) -> None:
    repository = git.open(project)

    with pytest.raises(UsageError, match="no such commit"):
        resolve(repository, name)

    assert resolve(repository, "HEAD").subject == "Third"


@pytest.mark.parametrize(
    ("slip", "meant"), [("mian", "main"), ("V1", "v1"), ("topic", "them/topic")]
)
def test_a_slip_is_answered_with_names_that_are_near(
    git: Git, project: Path, slip: str, meant: str
) -> None:
    git(project, "update-ref", "refs/remotes/them/topic", "HEAD")

    with pytest.raises(UsageError) as caught:
        resolve(git.open(project), slip)

    assert meant in caught.value.detail


@pytest.mark.parametrize(
    ("name", "kind"), [("HEAD:a.txt", "blob"), ("HEAD:src", "tree"), ("HEAD^{tree}", "tree")]
)
def test_a_file_or_folder_is_no_revision(git: Git, project: Path, name: str, kind: str) -> None:
    with pytest.raises(UsageError, match=f"is a {kind}, not a commit"):
        resolve(git.open(project), name)


def _twins(tree: str, who: str) -> tuple[str, tuple[int, int]]:
    """Return two messages whose commits begin alike, and how."""
    seen: dict[str, int] = {}
    for number in itertools.count():
        text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\n{number}\n".encode()
        prefix = hashlib.sha1(b"commit %d\0" % len(text) + text).hexdigest()[:4]  # noqa: S324
        if prefix in seen:
            return prefix, (seen[prefix], number)
        seen[prefix] = number
    raise AssertionError("two of all must begin alike")


def test_a_prefix_of_several_commits_lists_them(git: Git, project: Path) -> None:
    tree = git(project, "rev-parse", "HEAD^{tree}")
    who = "Ada <ada@example.org> 1700000000 +0000"
    prefix, twins = _twins(tree, who)
    shas = [git(project, "commit-tree", tree, "-m", f"{each}") for each in twins]
    assert [sha[:4] for sha in shas] == [prefix, prefix]

    with pytest.raises(UsageError, match="2 commits begin so") as caught:
        resolve(git.open(project), prefix)

    assert all(sha[:12] in caught.value.detail for sha in shas)


def test_a_commit_that_is_not_there_is_fetched_by_the_command_of_the_error(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", f"file://{project}", "clone")
    sha = git.commit(project, "Later")

    with pytest.raises(UsageError, match="not in your clone") as caught:
        resolve(git.open(tmp_path / "clone"), sha)

    git(tmp_path / "clone", *caught.value.detail.split()[1:])
    assert resolve(git.open(tmp_path / "clone"), sha).subject == "Later"


@pytest.mark.parametrize("name", ["HEAD~1", "v1", "WHOLE"])
def test_what_a_shallow_clone_lacks_is_fetched_by_the_command_of_the_error(
    git: Git, project: Path, tmp_path: Path, name: str
) -> None:
    name = name.replace("WHOLE", git(project, "rev-parse", "HEAD~1"))
    git(project, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    assert git.open(tmp_path / "shallow").shallow

    with pytest.raises(UsageError) as caught:
        resolve(git.open(tmp_path / "shallow"), name)

    git(tmp_path / "shallow", *caught.value.detail.replace("'", "").split()[1:])
    assert resolve(git.open(tmp_path / "shallow"), name).subject == "Second"


def test_without_any_commit_the_error_says_so(git: Git, tmp_path: Path) -> None:
    unborn = git.open(git.init(tmp_path / "unborn"))

    with pytest.raises(UsageError, match="there is no commit yet"):
        resolve(unborn, "HEAD")


def test_before_the_first_commit_there_is_none(git: Git, project: Path) -> None:
    with pytest.raises(UsageError, match="doesn't go back so far"):
        resolve(git.open(project), "HEAD~3")
