"""How two commits hang together, in a history that may be cut off."""

from __future__ import annotations

from countci.errors import MeasureError, UsageError
from countci.revisions.fetching import fetch, fetch_missing, remote_tip
from countci.revisions.names import look_up
from countci.revisions.repository import Repository

_STEPS = ("--deepen=50", "--deepen=200", "--deepen=1000", "--unshallow")
"""From deep enough for nearly all, to all there is: a whole history is dear, many steps too."""


def parents(repository: Repository, sha: str) -> tuple[str, ...]:
    """Return the parents that a commit names, whether or not these are here."""
    import git

    commit = git.Commit(repository.repo, bytes.fromhex(sha))
    return tuple(parent.hexsha for parent in commit.parents)


def cut_off(repository: Repository, base: str, head: str, commits: int | None = None) -> bool:
    """Whether there may be commits of `base..head` that are not here.

    Args:
        repository: which may be shallow.
        base: is here.
        head: is here.
        commits: how many there must be, if somebody knows.
    """
    found = _listed(repository, head, f"^{base}")
    if commits is not None and len(found) >= commits:
        return False
    return bool(found & _boundary(repository))


def bring_merge_base(repository: Repository, head: str, branch: str) -> str:
    """Return where `head` left a branch of the remote; of a commit on it, the first parent.

    What is missing is fetched, step by step until the answer can't change any more.

    Raises:
        UsageError: there is no such branch, no common commit, or no parent.
        MeasureError: git can't bring what is missing.
    """
    tip = _tip(repository, branch)
    fetch_missing(repository, [tip])
    for step in (*_STEPS, None):
        found = _merge_base(repository, head, tip)
        if found and not _uncertain(repository, head, tip, found):
            return found if found != head else _first_parent(repository, head)
        if step is None or not repository.shallow:
            break
        fetch(repository, [tip, head], step)
    raise UsageError(
        f"has no commit in common with {branch}", where=head[:12], detail="name the base"
    )


def _tip(repository: Repository, branch: str) -> str:
    known = look_up(repository, f"refs/remotes/origin/{branch}")
    if known:
        return known[1]
    tip = remote_tip(repository, branch)
    if tip is None:
        raise UsageError("the remote has no such branch", where=branch)
    return tip


def _merge_base(repository: Repository, head: str, tip: str) -> str | None:
    status, out, err = repository.git("merge-base", head, tip)
    if status not in {0, 1}:
        raise MeasureError("git finds no merge base", where=head[:12], detail=err)
    return next(iter(out.decode().split()), None)


def _uncertain(repository: Repository, head: str, tip: str, found: str) -> bool:
    """Whether a nearer common commit may hide behind where history is cut off."""
    return bool(_listed(repository, head, tip, f"^{found}") & _boundary(repository))


def _first_parent(repository: Repository, head: str) -> str:
    found = parents(repository, head)
    if not found:
        raise UsageError(
            "is the first commit: there is nothing to compare it with", where=head[:12]
        )
    fetch_missing(repository, found[:1])
    return found[0]


def _listed(repository: Repository, *words: str) -> frozenset[str]:
    status, out, err = repository.git("rev-list", *words, "--")
    if status:
        raise MeasureError("git can't list commits", where=" ".join(words), detail=err)
    return frozenset(out.decode().split())


def _boundary(repository: Repository) -> frozenset[str]:
    """Return the commits whose parents are cut off."""
    try:
        return frozenset((repository.common / "shallow").read_text().split())
    except FileNotFoundError:
        return frozenset()
