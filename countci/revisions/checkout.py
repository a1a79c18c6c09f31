"""A revision's files at a path of countci's own, the same for everybody."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from countci.errors import MeasureError
from countci.model import Revision
from countci.revisions.files import TIME_STAMP
from countci.revisions.repository import Repository
from countci.revisions.skeleton import Checkout, Source, lay, note_submodule
from countci.revisions.submodules import Link, find_links, require_commit, source_of
from countci.revisions.verify import verify


def check_out(
    repository: Repository, revision: Revision, at: Path, extra_objects: Path | None = None
) -> None:
    """Put the revision's files at `at`, submodules included, from what is on this machine.

    The repository there borrows the user's objects and knows their tags; every tracked file has
    the time stamp `TIME_STAMP`, and git sees no change. Settings, hooks and filters of the user
    take no part. Files of Git LFS stay pointers.

    Args:
        repository: the user's, which never learns of it.
        revision: of that repository, or of the extra objects.
        at: a folder that is empty or doesn't exist yet.
        extra_objects: countci's own, beside those that the repository reads already.

    Raises:
        UsageError: a submodule is not initialised, or lacks the commit.
        MeasureError: git can't write the files, or what it wrote is not the revision.
    """
    at.mkdir(parents=True, exist_ok=True)
    if any(at.iterdir()):
        raise MeasureError("not empty, so nothing is checked out there", where=str(at))
    extra = [folder for folder in (repository.extra_objects, extra_objects) if folder is not None]
    source = Source(git_dirs=(repository.common, repository.git_dir), extra_objects=tuple(extra))
    checkout = lay(source, at / ".git", at, repository.env)
    _fill(checkout, source, revision.sha, repository.top)


def _fill(checkout: Checkout, source: Source, sha: str, users: Path | None) -> None:
    """Fill an empty check-out and, one level down each time, its submodules.

    Args:
        checkout: as `lay` made it.
        source: where its objects are.
        sha: the commit.
        users: the user's own worktree of the same project, if there is one.
    """
    done = checkout.git("checkout", "--quiet", "--detach", "--force", sha, check=False)
    if done.status:
        raise MeasureError(
            f"git can't check out {sha[:12]}", where=str(checkout.at), detail=done.stderr.strip()
        )
    tracked = checkout.tracked()
    for link in find_links(checkout, sha, tracked):
        _fill_submodule(checkout, source, link, users)
    _set_times(checkout.at, (entry.path for entry in tracked if not entry.is_submodule))
    checkout.git("update-index", "-q", "--refresh", check=False)
    verify(checkout, sha, tracked)


def _fill_submodule(checkout: Checkout, source: Source, link: Link, users: Path | None) -> None:
    theirs = None if users is None else users / link.path
    inner = source_of(link, source, theirs)
    note_submodule(checkout, link.name, inner.git_dirs[0])
    git_dir = checkout.git_dir / "modules" / link.name
    below = lay(inner, git_dir, checkout.at / link.path, checkout.env)
    require_commit(below, link)
    _fill(below, inner, link.sha, theirs)


def _set_times(at: Path, paths: Iterable[str]) -> None:
    # A generated file next to its source is made again or not as their time stamps fall.
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # `verify` names it
            os.utime(at / path, (TIME_STAMP, TIME_STAMP), follow_symlinks=False)
