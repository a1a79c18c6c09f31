"""Where git looks for the hooks of a repository."""

from __future__ import annotations

import os
from pathlib import Path

from countci.errors import UsageError
from countci.model import Revision
from countci.revisions.repository import Repository

_OF_THE_REPOSITORY = {"local", "worktree"}


def hook_folder(repository: Repository) -> Path:
    """Return the folder of hooks, the same for all worktrees unless `core.hooksPath` says else.

    Raises:
        UsageError: the folder belongs to more than this repository, or a program fills it.
    """
    status, out, _ = repository.git("config", "--show-scope", "--get", "core.hooksPath")
    scope = os.fsdecode(out).partition("\t")[0]
    if status == 0 and scope not in _OF_THE_REPOSITORY:
        raise UsageError(
            f"core.hooksPath is set for all your repositories ({scope})",
            where=os.fsdecode(out).partition("\t")[2].strip(),
            detail="give this one hooks of its own: git config core.hooksPath "
            f"{repository.common / 'hooks'}",
        )
    _, out, _ = repository.git("rev-parse", "--git-path", "hooks")
    named = Path(os.fsdecode(out).removesuffix("\n"))
    folder = (repository.top or repository.git_dir) / named
    if folder.parts[-2:] == (".husky", "_"):
        raise UsageError(
            "husky writes this folder anew",
            where=str(folder),
            detail='add a line to .husky/pre-push: countci hook run pre-push "$@"',
        )
    return folder


def known_to(repository: Repository, head: Revision, remote: str) -> bool:
    """Return whether some branch of `remote` had `head` when it was last fetched from."""
    pattern = f"refs/remotes/{remote}/"
    _, out, _ = repository.git("for-each-ref", "--count=1", "--contains", head.sha, pattern)
    return bool(out.strip())


def is_first(repository: Repository, head: Revision) -> bool:
    """Return whether `head` has no parent, though its history is whole."""
    _, out, _ = repository.git("rev-list", "--parents", "--max-count=1", head.sha)
    return len(out.split()) == 1 and not repository.shallow
