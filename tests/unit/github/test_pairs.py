"""The two commits of an event, in check-outs that miss some of them. With real git."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from countci import process
from countci.errors import MeasureError, UsageError
from countci.github import Chosen, Named, SinceBranch, TestMerge, Two, Wish, find
from countci.progress import Silent
from countci.revisions import open_repository
from tests.hub import Hub, hub


@dataclass(frozen=True)
class Project:
    """A server's repository: main of three commits, a pull request of two from the second."""

    hub: Hub
    main: tuple[str, ...]
    pull: tuple[str, ...]
    merge: str

    def wish(self, **other: str) -> TestMerge:
        given = {"sha": self.merge, "head": self.pull[-1], **other}
        return TestMerge(number=7, branch="main", commits=2, **given)

    def find(self, at: Path, wish: Wish) -> Chosen:
        return find(open_repository(at, self.hub.env), wish, Silent())

    def has(self, at: Path, sha: str) -> bool:
        found = self.hub.git("rev-list", "--no-walk", "--ignore-missing", sha, at=at)
        return bool(found)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = hub(tmp_path_factory.mktemp("template"))
    main = [made.commit(f"Main {number}", a_txt=f"{number}\n") for number in range(2)]
    made.branch("topic", main[1])
    pull = [made.commit(f"Pull {number}", b_txt=f"{number}\n") for number in range(2)]
    made.git("checkout", "--quiet", "main")
    main.append(made.commit("Main 2", a_txt="2\n"))
    merge = made.merge(main[2], pull[1])
    made.git("checkout", "--quiet", "main")
    return Project(hub=made, main=tuple(main), pull=tuple(pull), merge=merge)


@pytest.fixture
def project(tmp_path: Path, template: Project) -> Project:
    top = shutil.copytree(template.hub.top, tmp_path / "hub", symlinks=True)
    return replace(template, hub=replace(template.hub, top=top))


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the fetches that countci makes from now on."""
    lines: list[str] = []
    real = process.run

    def run(command: process.Command, *, check: bool = True) -> process.Finished:
        if command.argv[:2] == ("git", "fetch"):
            lines.append(command.line)
        return real(command, check=check)

    monkeypatch.setattr(process, "run", run)
    return lines


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_a_test_merge_is_held_against_its_first_parent(
    project: Project, tmp_path: Path, depth: int
) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge, depth=depth)

    chosen = project.find(at, project.wish())

    assert (chosen.base, chosen.head) == (project.main[2], project.merge)
    (notice,) = chosen.notices
    assert notice.code == "test-merge"
    assert project.main[2] in notice.text
    assert project.pull[1] in notice.text


@pytest.mark.parametrize(("depth", "times"), [(0, 0), (3, 0), (2, 1), (1, 1)])
def test_what_is_missing_comes_in_one_fetch_with_all_commits_of_the_pull_request(
    project: Project, tmp_path: Path, fetched: list[str], depth: int, times: int
) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge, depth=depth)

    project.find(at, project.wish())

    assert len(fetched) == times
    assert all(project.has(at, sha) for sha in (project.main[2], *project.pull))


def test_a_fetch_leaves_no_ref_and_no_fetch_head(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge, depth=1)
    (at / ".git/FETCH_HEAD").unlink()
    before = project.hub.git("for-each-ref", at=at)

    project.find(at, project.wish())

    assert project.hub.git("for-each-ref", at=at) == before
    assert not (at / ".git/FETCH_HEAD").exists()
    assert project.hub.git("status", "--porcelain", at=at) == ""


def test_a_whole_clone_stays_whole(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge, depth=0)
    project.hub.branch("gone", project.main[0])
    old = project.hub.commit("Only there until the branch was forced")

    project.find(at, Two(base=old, head=project.main[2], forced=True))

    assert not (at / ".git/shallow").exists()


def test_a_stale_test_merge_is_an_error(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge, depth=2)
    project.hub.branch("topic", project.pull[1])
    newer = project.hub.commit("Pull 2")

    with pytest.raises(MeasureError, match="stale test merge") as caught:
        project.find(at, project.wish(head=newer))

    assert newer[:12] in caught.value.problem
    assert project.pull[1][:12] in caught.value.problem


def test_a_commit_with_one_parent_is_no_test_merge(project: Project, tmp_path: Path) -> None:
    squashed = project.main[2]
    at = project.hub.check_out(tmp_path / "job", squashed, ref="refs/heads/main", depth=2)

    with pytest.raises(MeasureError, match="has 1 parents, not two"):
        project.find(at, project.wish(sha=squashed))


def test_the_pull_requests_own_commit_is_held_against_the_merge_base(
    project: Project, tmp_path: Path
) -> None:
    at = project.hub.check_out(tmp_path / "job", project.pull[1], ref="refs/heads/topic", depth=1)

    chosen = project.find(at, project.wish())

    assert (chosen.base, chosen.head) == (project.main[1], project.pull[1])
    assert chosen.notices[0].code == "merge-base"


def test_a_check_out_of_something_else_is_an_error(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.main[2], ref="refs/heads/main")

    with pytest.raises(MeasureError, match="neither the test merge"):
        project.find(at, project.wish())


def test_a_merge_group_is_held_against_its_base(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge, depth=1)

    chosen = project.find(at, Two(base=project.main[2], head=project.merge))

    assert (chosen.base, chosen.head, chosen.notices) == (project.main[2], project.merge, ())


def test_a_pushs_commits_come_in_one_fetch(
    project: Project, tmp_path: Path, fetched: list[str]
) -> None:
    head = project.main[2]
    at = project.hub.check_out(tmp_path / "job", head, ref="refs/heads/main", depth=1)

    chosen = project.find(at, Two(base=project.main[0], head=head, commits=2))

    assert (chosen.base, chosen.head, chosen.notices) == (project.main[0], head, ())
    assert len(fetched) == 1
    assert project.has(at, project.main[1])


@pytest.mark.parametrize("depth", [0, 1])
def test_a_new_branch_is_held_against_where_it_left_the_default_branch(
    project: Project, tmp_path: Path, depth: int
) -> None:
    at = project.hub.check_out(
        tmp_path / "job", project.pull[1], ref="refs/heads/topic", depth=depth
    )

    chosen = project.find(at, SinceBranch(head=project.pull[1], branch="main"))

    assert (chosen.base, chosen.head) == (project.main[1], project.pull[1])


def test_a_new_branch_that_left_long_ago_is_deepened_until_its_base_is_certain(
    project: Project, tmp_path: Path
) -> None:
    project.hub.git("checkout", "--quiet", "main")
    project.hub.commits(60)
    at = project.hub.check_out(tmp_path / "job", project.pull[1], ref="refs/heads/topic", depth=1)

    chosen = project.find(at, SinceBranch(head=project.pull[1], branch="main"))

    assert chosen.base == project.main[1]


def test_a_nearer_merge_base_behind_the_cut_is_not_missed(tmp_path: Path) -> None:
    # An old commit that both sides reach by a short way, and a newer one by a long way.
    made = hub(tmp_path)
    old = made.commit("Old")
    made.branch("long", old)
    made.commits(20)
    newer = made.commit("Newer")
    for side in ("main", "topic"):
        made.branch(f"{side}-work", newer)
        made.commits(70, side[0])
        made.branch(side, old)
        made.git("merge", "--quiet", "--no-ff", "-m", "Join", f"{side}-work")
    head = made.git("rev-parse", "topic")
    at = made.check_out(tmp_path / "job", head, ref="refs/heads/topic", depth=3)

    chosen = find(open_repository(at, made.env), SinceBranch(head=head, branch="main"), Silent())

    assert chosen.base == newer


def test_a_forced_push_names_what_was_there_before(project: Project, tmp_path: Path) -> None:
    head, old = project.main[2], project.pull[1]
    at = project.hub.check_out(tmp_path / "job", head, ref="refs/heads/main", depth=2)

    chosen = project.find(at, Two(base=old, head=head, forced=True))

    assert (chosen.base, chosen.head) == (old, head)
    assert chosen.notices[0].code == "forced-push"


def test_a_forced_push_over_something_that_is_gone_says_so(
    project: Project, tmp_path: Path
) -> None:
    at = project.hub.check_out(tmp_path / "job", project.main[2], ref="refs/heads/main")

    with pytest.raises(MeasureError, match="the push was forced") as caught:
        project.find(at, Two(base="d" * 40, head=project.main[2], forced=True))

    assert "with: base" in caught.value.detail
    assert "fetch-depth: 0" in caught.value.detail


def test_a_missing_commit_that_nobody_has_is_an_error(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge)

    with pytest.raises(MeasureError, match="can't bring"):
        project.find(at, Two(base="d" * 40, head=project.merge))


def test_names_of_the_inputs_are_found_on_the_remote(project: Project, tmp_path: Path) -> None:
    project.hub.git("tag", "-a", "v1", "-m", "one", project.main[0])
    at = project.hub.check_out(tmp_path / "job", project.main[2], ref="refs/heads/main")

    chosen = project.find(at, Named(base="v1", head="topic"))

    assert (chosen.base, chosen.head) == (project.main[0], project.pull[1])
    assert [notice.code for notice in chosen.notices] == ["named", "history-cut"]


@pytest.mark.parametrize("name", ["nosuch", "--upload-pack=touch pwned", "a b; touch pwned", "-"])
def test_a_name_that_means_nothing_is_an_error_whatever_is_in_it(
    project: Project, tmp_path: Path, name: str
) -> None:
    at = project.hub.check_out(tmp_path / "job", project.main[2], ref="refs/heads/main")

    with pytest.raises(UsageError):
        project.find(at, Named(base=name, head=project.main[2]))

    assert not (at / "pwned").exists()


def test_a_password_of_the_remote_is_in_no_message(project: Project, tmp_path: Path) -> None:
    at = project.hub.check_out(tmp_path / "job", project.merge)
    url = "https://x-access-token:hunter2@127.0.0.1:1/savings/bank"
    project.hub.git("remote", "set-url", "origin", url, at=at)

    with pytest.raises(MeasureError) as caught:
        project.find(at, Two(base="d" * 40, head=project.merge))

    assert "hunter2" not in str(caught.value)
