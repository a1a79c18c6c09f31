"""Names to revisions: whatever git understands, and what to type when it doesn't."""

from __future__ import annotations

import difflib
import os
import re

from countci.errors import UsageError
from countci.model import Revision
from countci.revisions.repository import Repository

_WHOLE = re.compile(r"[0-9a-f]{40}")
_PREFIX = re.compile(r"[0-9a-fA-F]{4,39}")


def resolve(repository: Repository, name: str) -> Revision:
    """Return the commit that git means by `name`: a sha, a tag, `HEAD~3`, `:/text`, ...

    Raises:
        UsageError: there is no such commit, or more than one; the detail says what to type.
    """
    kind, sha = look_up(repository, name) or _by_prefix(repository, name) or ("", "")
    if kind == "tag":
        kind, sha = look_up(repository, f"{sha}^{{}}") or ("", "")
    if not kind:
        raise _unknown(repository, name)
    if kind != "commit":
        raise UsageError(
            f"is a {kind}, not a commit",
            where=name,
            detail="name a commit, branch or tag: HEAD, main, v1.0",
        )
    return read_commit(repository, sha, name=name)


def look_up(repository: Repository, name: str) -> tuple[str, str] | None:
    """Return kind (`commit`, `tag`, `tree`, `blob`) and sha of what `name` means, or None."""
    if not name or "\n" in name or "\0" in name:
        return None
    try:
        sha, kind, _ = repository.repo.git.get_object_header(os.fsencode(name).decode())
    except ValueError:  # missing, ambiguous, or no text at all
        # Some names end the process that answers (`@{upstream}` without one).
        repository.repo.git.clear_cache()
        return None
    return _text(kind), _text(sha)


def read_commit(repository: Repository, sha: str, *, name: str) -> Revision:
    """Return the revision of a commit that is known to be there."""
    import git

    commit = git.Commit(repository.repo, bytes.fromhex(sha))
    return Revision(
        name=name,
        sha=sha,
        tree=commit.tree.hexsha,
        subject=_text(commit.summary),
        when=commit.committed_date,
    )


def _text(raw: str | bytes) -> str:
    return raw.decode(errors="replace") if isinstance(raw, bytes) else raw


def _by_prefix(repository: Repository, name: str) -> tuple[str, str] | None:
    """Return the one commit among the objects whose sha begins with `name`, or None.

    Raises:
        UsageError: several commits begin so.
    """
    if not _PREFIX.fullmatch(name):
        return None
    _, out, _ = repository.git("rev-parse", f"--disambiguate={name}")
    found = [known for sha in out.decode().split() if (known := look_up(repository, sha))]
    commits = [each for each in found if each[0] in {"commit", "tag"}]
    if len(commits) <= 1:
        return commits[0] if commits else None
    lines = [
        f"{revision.sha[:12]} {revision.subject}"
        for _, sha in commits
        for revision in [resolve(repository, sha)]
    ]
    raise UsageError(
        f"{len(commits)} commits begin so",
        where=name,
        detail="\n".join(["type more digits:", *lines]),
    )


def _unknown(repository: Repository, name: str) -> UsageError:
    if name == "HEAD" or name.startswith("HEAD~"):
        if look_up(repository, "HEAD") is None:
            return UsageError("there is no commit yet", where=name, detail="git commit")
        if not repository.shallow:
            return UsageError("history doesn't go back so far", where=name)
    if _WHOLE.fullmatch(name):
        return UsageError(
            "this commit is not in your clone",
            where=name,
            detail=f"git fetch {'--depth=1 ' if repository.shallow else ''}origin {name}",
        )
    if repository.shallow:
        return UsageError(
            "no such commit in this shallow clone", where=name, detail=deepen(repository)
        )
    near = _near(repository, name)
    return UsageError(
        "no such commit, branch or tag",
        where=name or '""',
        detail=f"did you mean {' or '.join(near)}?"
        if near
        else "git log --all --oneline lists them",
    )


def deepen(repository: Repository) -> str:
    """Return the command that brings the whole history into a shallow clone."""
    remotes = [remote.name for remote in repository.repo.remotes]
    remote = "origin" if "origin" in remotes or not remotes else remotes[0]
    return f"git fetch --unshallow --tags {remote} '+refs/heads/*:refs/remotes/{remote}/*'"


def _near(repository: Repository, name: str) -> list[str]:
    _, out, _ = repository.git("for-each-ref", "--format=%(refname:short)")
    known = os.fsdecode(out).split()
    last = name.casefold()
    elsewhere = [each for each in known if each.casefold().rpartition("/")[2] == last]
    return (elsewhere or difflib.get_close_matches(name, known, n=3))[:3]
