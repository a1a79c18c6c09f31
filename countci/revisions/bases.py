"""The base that is meant when none is named."""

from __future__ import annotations

import re

from countci.errors import UsageError
from countci.model import Revision
from countci.revisions.names import deepen, look_up, read_commit
from countci.revisions.repository import Repository

_DEFAULT_BRANCHES = {
    "origin/HEAD": "refs/remotes/origin/HEAD",
    "origin/main": "refs/remotes/origin/main",
    "origin/master": "refs/remotes/origin/master",
    "main": "refs/heads/main",
    "master": "refs/heads/master",
}
_SIMPLE = re.compile(r"[\w./@-]+(~\d+)?")


def default_base(repository: Repository, head: Revision) -> Revision:
    """Return where `head` left the default branch; for a commit of that branch, its first parent.

    Raises:
        UsageError: there is no default branch, no common commit or no parent. Never is
            another base taken instead.
    """
    branch, tip = _default_branch(repository, head)
    status, out, err = repository.git("merge-base", head.sha, tip)
    found = out.decode().split()
    if status not in {0, 1}:
        raise UsageError(f"git finds no merge base with {branch}", where=head.name, detail=err)
    if not found:
        raise _no_common_commit(repository, head, branch)
    if found[0] == head.sha:
        return _first_parent(repository, head)
    return read_commit(repository, found[0], name=f"merge base with {branch}")


def default_target(repository: Repository) -> str:
    """Return the name of what is merged into unless it is named: the default branch.

    As a remote has it, where there is one; without any, the upstream of the branch at hand.

    Raises:
        UsageError: there is neither.
    """
    for name, ref in _DEFAULT_BRANCHES.items():
        if look_up(repository, ref):
            return name
    if look_up(repository, "@{upstream}"):
        return "@{upstream}"
    raise UsageError(
        "no default branch to merge into (origin/HEAD, main, master), and no upstream",
        detail="name it: countci pre-merge TARGET",
    )


def _default_branch(repository: Repository, head: Revision) -> tuple[str, str]:
    for name, ref in _DEFAULT_BRANCHES.items():
        known = look_up(repository, ref)
        if known:
            return name, known[1]
    raise UsageError(
        "no default branch to take the base from (origin/HEAD, main, master)",
        where=head.name,
        detail="name the base: countci compare BASE HEAD\n"
        "or fetch the branch: git fetch origin main:refs/remotes/origin/main",
    )


def _no_common_commit(repository: Repository, head: Revision, branch: str) -> UsageError:
    if repository.shallow:
        return UsageError(
            f"this shallow clone doesn't reach back to the merge base with {branch}",
            where=head.name,
            detail=deepen(repository),
        )
    return UsageError(
        f"has no commit in common with {branch}",
        where=head.name,
        detail="name the base: countci compare BASE HEAD",
    )


def _first_parent(repository: Repository, head: Revision) -> Revision:
    import git

    commit = git.Commit(repository.repo, bytes.fromhex(head.sha))
    if not commit.parents:
        raise UsageError(
            "is the first commit: there is nothing to compare it with",
            where=head.name,
            detail="name the base: countci compare BASE HEAD",
        )
    parent = commit.parents[0].hexsha
    if look_up(repository, parent) is None:
        raise UsageError(
            "its parent is not in this shallow clone", where=head.name, detail=deepen(repository)
        )
    name = head.name if _SIMPLE.fullmatch(head.name) else head.sha[:12]
    return read_commit(repository, parent, name=f"{name}~1")
