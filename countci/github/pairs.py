"""What an event wishes to what is in the repository, with what is missing fetched first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from countci import revisions
from countci.errors import MeasureError, UsageError
from countci.github.wishes import Named, SinceBranch, TestMerge, Two, Wish
from countci.model import Reason
from countci.progress import Progress
from countci.revisions import Repository

_MANY = 50
"""Commits that are fetched when nobody says how many there are."""
_MOST = 1000
_PLAIN = re.compile(r"\w[\w./-]*")
_SHA = re.compile(r"[0-9a-f]{40}")
_STALE = """GitHub made this merge before the pull request's last push, or for another base;
a re-run keeps it. Push once more, or close and open the pull request again"""
_CUT = (
    "the check-out is shallow: what the older commits between base and head accept is not seen; "
    "fetch-depth: 0 brings them"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The two commits that are compared; both are in the repository."""

    base: str
    head: str
    notices: tuple[Reason, ...]
    """How they were chosen."""


def find(repository: Repository, wish: Wish, progress: Progress) -> Chosen:
    """Return the two commits that `wish` means.

    Raises:
        UsageError: a name means nothing.
        MeasureError: the check-out is not what the event is about, or a commit can't be fetched.
    """
    progress.step("find base and head")
    match wish:
        case TestMerge():
            return _pull_request(repository, wish)
        case Two():
            return _two(repository, wish)
        case SinceBranch():
            return _since(repository, wish)
        case Named():
            return _named(repository, wish)


def _pull_request(repository: Repository, wish: TestMerge) -> Chosen:
    here = revisions.resolve(repository, "HEAD").sha
    if here == wish.sha:
        return _test_merge(repository, wish)
    if here == wish.head:
        base = revisions.bring_merge_base(repository, here, wish.branch)
        text = (
            f"pull request {wish.number} by itself, {here}, against where it left {wish.branch}, "
            f"{base}: its merge is not what was checked out"
        )
        return Chosen(base=base, head=here, notices=(_reason("merge-base", text),))
    raise MeasureError(
        f"neither the test merge {wish.sha[:12]} of pull request {wish.number} nor its last "
        f"commit {wish.head[:12]}",
        where=f"HEAD is {here[:12]}",
        detail="check out without ref, which is the test merge",
    )


def _test_merge(repository: Repository, wish: TestMerge) -> Chosen:
    found = revisions.parents(repository, wish.sha)
    if len(found) != 2:
        raise MeasureError(
            f"is no test merge of pull request {wish.number}: it has {len(found)} parents, not two",
            where=wish.sha[:12],
            detail="check out without ref, on: pull_request, before it is merged",
        )
    base, merged = found
    if merged != wish.head:
        raise MeasureError(
            f"is a stale test merge: of {merged[:12]}, where pull request {wish.number} is at "
            f"{wish.head[:12]}",
            where=wish.sha[:12],
            detail=_STALE,
        )
    cut = _bring_between(repository, base, wish.sha, wish.commits + 1)
    text = f"pull request {wish.number} at {merged}, merged into {base} of {wish.branch}"
    return Chosen(base=base, head=wish.sha, notices=(_reason("test-merge", text), *cut))


def _since(repository: Repository, wish: SinceBranch) -> Chosen:
    revisions.fetch_missing(repository, [wish.head])
    base = revisions.bring_merge_base(repository, wish.head, wish.branch)
    text = f"a new branch: its base is where it left {wish.branch}, {base}"
    return Chosen(base=base, head=wish.head, notices=(_reason("new-branch", text),))


def _two(repository: Repository, wish: Two) -> Chosen:
    try:
        cut = _bring_between(repository, wish.base, wish.head, wish.commits)
    except MeasureError as error:
        if not wish.forced:
            raise
        raise MeasureError(
            f"the push was forced, and the commit before it, {wish.base[:12]}, is gone",
            where="push",
            detail=f"name another base, with: base\n{error.detail}",
        ) from error
    if wish.forced:
        text = f"a forced push: base, {wish.base}, is what was there before; head may not hold it"
        cut = (_reason("forced-push", text), *cut)
    return Chosen(base=wish.base, head=wish.head, notices=cut)


def _bring_between(
    repository: Repository, base: str, head: str, commits: int | None
) -> tuple[Reason, ...]:
    """Fetch what is missing of both and of the commits between, whose messages may accept things.

    All of it in one go.

    Args:
        repository: which may be shallow.
        base: a commit.
        head: a commit.
        commits: how many `base..head` has; None where nobody says.

    Returns:
        What has to be said when some are missing all the same.
    """
    here = all(revisions.has(repository, sha) for sha in (base, head))
    if not here or revisions.cut_off(repository, base, head, commits):
        wanted = [base, head]
        if revisions.has(repository, head) and base in revisions.parents(repository, head):
            wanted = [head]
        depth = max(2, min(commits or _MANY, _MOST))
        if repository.shallow:
            revisions.fetch(repository, wanted, f"--depth={depth}")
        else:
            revisions.fetch_missing(repository, [base, head])
    if not revisions.cut_off(repository, base, head, commits):
        return ()
    return (_reason("history-cut", _CUT),)


def _named(repository: Repository, wish: Named) -> Chosen:
    base, head = (_bring(repository, name) for name in (wish.base, wish.head))
    text = f"base and head are named by the workflow: {wish.base} is {base}, {wish.head} is {head}"
    cut = (_reason("history-cut", _CUT),) if revisions.cut_off(repository, base, head) else ()
    return Chosen(base=base, head=head, notices=(_reason("named", text), *cut))


def _bring(repository: Repository, name: str) -> str:
    """Return the commit of a name, from the remote when it isn't known here."""
    if _SHA.fullmatch(name):
        revisions.fetch_missing(repository, [name])
        return name
    try:
        return revisions.resolve(repository, name).sha
    except UsageError:
        tip = revisions.remote_tip(repository, name) if _PLAIN.fullmatch(name) else None
        if tip is None:
            raise
    revisions.fetch_missing(repository, [tip])
    return tip


def _reason(code: str, text: str) -> Reason:
    return Reason(code=code, text=text)
