from __future__ import annotations

from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.model import Commit
from countci.revisions import commits, line, resolve
from tests.unit.revisions.conftest import Git


def subjects(found: tuple[Commit, ...]) -> list[str]:
    return [each.revision.subject for each in found]


@pytest.fixture
def merged(git: Git, project: Path) -> Path:
    """Return the project with a branch of two commits merged into main."""
    git(project, "checkout", "--quiet", "-b", "topic")
    git.commit(project, "Topic 1")
    git.commit(project, "Topic 2")
    git(project, "checkout", "--quiet", "main")
    git.commit(project, "Fourth")
    git(project, "merge", "--quiet", "--no-ff", "topic", "-m", "Merge topic")
    return project


def test_a_range_begins_with_the_commit_before_it(git: Git, project: Path) -> None:
    found = commits(git.open(project), "HEAD~1..HEAD")

    assert subjects(found) == ["Second", "Third"]
    assert found[1].parents == (found[0].sha,)
    assert found[0].revision == resolve(git.open(project), found[0].sha[:10])
    assert found[0].authored == 1700000000


def test_a_single_name_is_all_that_leads_to_it(git: Git, project: Path) -> None:
    assert subjects(commits(git.open(project), "v1")) == ["First", "Second"]


@pytest.mark.parametrize("text", ["HEAD~2..", "HEAD~2..main"])
def test_an_end_that_is_missing_is_head(git: Git, project: Path, text: str) -> None:
    assert subjects(commits(git.open(project), text)) == ["First", "Second", "Third"]


def test_only_first_parents_unless_all_are_asked_for(git: Git, merged: Path) -> None:
    repository = git.open(merged)

    first = subjects(commits(repository, "v1..main"))
    every = subjects(commits(repository, "v1..main", every_parent=True))

    assert first == ["Second", "Third", "Fourth", "Merge topic"]
    assert every[:2] == ["Second", "Third"]
    assert sorted(every[2:5]) == ["Fourth", "Topic 1", "Topic 2"]
    assert every[5:] == ["Merge topic"]


def test_a_subject_may_hold_anything(git: Git, project: Path) -> None:
    git.commit(project, "Odd \x1f subject | é")

    assert subjects(commits(git.open(project), "HEAD~1.."))[1] == "Odd \x1f subject | é"


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        ("HEAD..HEAD~1", "no commit in the range", "the other way round: countci log HEAD~1..HEAD"),
        ("HEAD..HEAD", "no commit in the range", "name an older start"),
        ("v1...HEAD", "no line of commits", "countci log v1..HEAD"),
        ("v7..HEAD", "no such commit", "git log --all"),
    ],
)
def test_a_range_that_is_none_says_what_to_type(
    git: Git, project: Path, text: str, problem: str, remedy: str
) -> None:
    with pytest.raises(UsageError, match=problem) as caught:
        commits(git.open(project), text)

    assert remedy in caught.value.detail


def test_where_a_shallow_clone_ends_there_is_no_commit_before(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")

    assert subjects(commits(git.open(tmp_path / "shallow"), "HEAD")) == ["Third"]


def test_a_line_follows_first_parents_where_they_lead_back(git: Git, merged: Path) -> None:
    repository = git.open(merged)

    found = line(repository, resolve(repository, "v1"), resolve(repository, "main"))

    assert subjects(found) == ["Second", "Third", "Fourth", "Merge topic"]


def test_a_line_goes_through_a_merged_branch_where_it_must(git: Git, merged: Path) -> None:
    repository = git.open(merged)

    found = line(repository, resolve(repository, "topic~1"), resolve(repository, "main"))

    assert subjects(found) == ["Topic 1", "Topic 2", "Merge topic"]


@pytest.mark.parametrize(
    ("good", "bad", "remedy"),
    [
        ("main", "v1", "the older one comes first: countci bisect v1 main QUERY"),
        ("main", "main", "name an older GOOD"),
        ("topic", "main~1", "begin where both come from: countci bisect "),
    ],
)
def test_there_is_no_line_from_what_is_no_ancestor(
    git: Git, merged: Path, good: str, bad: str, remedy: str
) -> None:
    repository = git.open(merged)

    with pytest.raises(UsageError) as caught:
        line(repository, resolve(repository, good), resolve(repository, bad))

    assert remedy in caught.value.detail
