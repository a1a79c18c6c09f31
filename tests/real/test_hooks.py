"""Pushes and merges by git itself, with the hooks that countci puts there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.real.bank import Ended, Repository, bank

pytestmark = pytest.mark.slow

FIELD_WORSE = "bank/field +2.00 % instructions"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return the program with a remote that has its main, and the hooks installed."""
    made = bank(tmp_path)
    made.git("init", "-q", "--bare", str(tmp_path / "far.git"))
    made.git("remote", "add", "origin", str(tmp_path / "far.git"))
    made.git("push", "-q", "origin", "main")
    ended = made.countci("hook", "install")
    assert ended.code == 0, ended.err
    return made


def git(repository: Repository, *words: str, **env: str) -> Ended:
    """Run a git command whose hooks may refuse."""
    done = subprocess.run(
        ["git", *words],
        cwd=repository.top,
        env={**os.environ, "XDG_CACHE_HOME": str(repository.cache), **env},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Ended(code=done.returncode, out=done.stdout, err=done.stderr)


def said(ended: Ended) -> str:
    """Return all that was printed, with plain spaces."""
    return (ended.out + ended.err).replace("\u00a0", " ")


def slower(repository: Repository) -> str:
    return repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")


def at_remote(repository: Repository) -> dict[str, str]:
    lines = repository.git("ls-remote", "--heads", "origin").splitlines()
    return {line.split("\t")[1].removeprefix("refs/heads/"): line.split("\t")[0] for line in lines}


def test_a_push_that_is_slower_is_refused_and_goes_past_with_no_verify(
    repository: Repository,
) -> None:
    sha = slower(repository)

    ended = git(repository, "push", "origin", "main")

    assert ended.code == 1
    assert FIELD_WORSE in said(ended)
    there = at_remote(repository)["main"]
    again = f"again: countci compare {there[:10]} {sha[:10]} --no-time"
    assert again in " ".join(said(ended).split())
    assert git(repository, "push", "--no-verify", "origin", "main").code == 0
    assert at_remote(repository)["main"] == sha


def test_a_push_of_the_same_work_goes_through_after_the_hook_of_before(
    repository: Repository, tmp_path: Path
) -> None:
    repository.countci("hook", "remove")
    hook = repository.top / ".git/hooks/pre-push"
    hook.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/seen\ncat >> {tmp_path}/seen\n')
    hook.chmod(0o755)
    text = hook.read_bytes()
    repository.countci("hook", "install")
    old = at_remote(repository)["main"]
    new = repository.commit("Docs", README_dot_md="more\n")

    ended = git(repository, "push", "origin", "main")

    assert ended.code == 0, ended.err
    assert "pass" in said(ended)
    assert (tmp_path / "seen").read_text().splitlines() == [
        f"origin {tmp_path}/far.git",
        f"refs/heads/main {new} refs/heads/main {old}",
    ]
    assert at_remote(repository)["main"] == new
    assert repository.countci("hook", "remove").code == 0
    assert hook.read_bytes() == text


def test_a_new_branch_is_held_against_where_it_left_main(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    same = git(repository, "push", "origin", "topic")
    slower(repository)

    worse = git(repository, "push", "origin", "HEAD:refs/heads/topic-2")

    assert same.code == 0, same.err
    assert "topic is new, its commits are not" in same.err
    assert worse.code == 1
    assert FIELD_WORSE in said(worse)


def test_tags_and_deleted_branches_are_not_measured(repository: Repository) -> None:
    git(repository, "push", "--no-verify", "origin", "main:old")
    repository.git("tag", "v1")

    ended = git(repository, "push", "origin", "v1", ":old")

    assert ended.code == 0, ended.err
    assert "no branch is pushed" in ended.err
    assert "old" not in at_remote(repository)


def test_a_merge_that_is_slower_is_refused_before_it_is_committed(
    repository: Repository, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    repository.git("worktree", "add", "-q", "-b", "topic", str(other))
    slower(Repository(top=other, cache=repository.cache))
    main = repository.commit("Docs", README_dot_md="more\n")

    ended = git(repository, "merge", "--no-edit", "topic")

    assert ended.code == 1
    assert FIELD_WORSE in said(ended)
    assert repository.git("rev-parse", "HEAD").strip() == main
    again = repository.countci("hook", "run", "pre-merge-commit")
    assert (again.code, FIELD_WORSE in said(again)) == (1, True)
    repository.git("merge", "--abort")
    none = repository.countci("hook", "run", "pre-merge-commit")
    assert (none.code, "no merge is being made" in none.err) == (2, True)  # and no green
    reverse = git(Repository(top=other, cache=repository.cache), "merge", "--no-edit", "main")
    assert reverse.code == 0, reverse.err


def test_what_the_merged_commits_accept_holds_for_the_merge(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.edit(
        "Slower\n\nCountci-Accept: bank/field instructions +2.5% because more steps are wanted",
        "FIELD_STEPS = 1000",
        "FIELD_STEPS = 1020",
    )
    repository.git("checkout", "-q", "main")
    repository.commit("Docs", README_dot_md="more\n")

    ended = git(repository, "merge", "--no-edit", "topic")

    assert ended.code == 0, ended.out + ended.err
    assert "more steps are wanted" in " ".join(said(ended).split())


def test_a_push_from_elsewhere_measures_the_repository_that_is_pushed(
    repository: Repository, tmp_path: Path
) -> None:
    slower(repository)
    bare = tmp_path / "elsewhere.git"
    (repository.top / ".git").rename(bare)

    ended = git(
        repository, "push", "origin", "main", GIT_DIR=str(bare), GIT_WORK_TREE=str(repository.top)
    )

    assert ended.code == 1
    assert FIELD_WORSE in said(ended)


def test_pre_merge_compares_what_will_land(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    assert "nothing is measured" in repository.countci("pre-merge").out
    slower(repository)
    repository.git("checkout", "-q", "main")
    repository.edit("Also slower", "mix(state, BRANCH_STEPS)", "mix(state, BRANCH_STEPS + 30)")
    repository.git("push", "-q", "--no-verify", "origin", "main")
    repository.git("checkout", "-q", "topic")

    ended = repository.countci("pre-merge", "--no-time")

    assert ended.code == 1, ended.err
    assert "measured is what merging HEAD into origin/main gives" in ended.out
    assert FIELD_WORSE in said(ended)
    row = next(line for line in ended.out.splitlines() if "bank/per_branch" in line)
    assert "pass" in row, "what main itself did is no part of the merge's difference"


def test_a_conflict_is_no_green(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    slower(repository)
    repository.git("checkout", "-q", "main")
    repository.edit("Also slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1030")
    repository.git("checkout", "-q", "topic")

    ended = repository.countci("pre-merge", "main")

    assert ended.code == 3
    assert "HEAD: conflicts with main, so there is no merge to measure" in ended.err
    assert "bank.c" in ended.err
