"""What the hooks compare. Only counts, not even explained: whoever pushes waits for it."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click

from countci import hooks, revisions
from countci.cli.measuring import run
from countci.cli.options import Shared
from countci.errors import UsageError
from countci.hooks import Push
from countci.job import Job
from countci.revisions import Repository

_SHARED = Shared(
    patterns=(),
    limits=(),
    jobs=None,
    config=None,
    cache_dir=None,
    format_="terminal",
    outputs=(),
)


def before_push(words: tuple[str, ...], env: Mapping[str, str]) -> int:
    """Return the exit code of comparing each branch that is pushed with what the remote has.

    Args:
        words: what git calls the hook with, the remote first.
        env: the hook's environment.
    """
    repository = revisions.open_repository(_where(env), env)
    pushes = _pushes(env)
    if not pushes:
        click.echo("countci: no branch is pushed, so nothing is measured", err=True)
    codes = [_one_push(repository, push, words[0] if words else "origin") for push in pushes]
    return next((code for code in codes if code), 0)


def before_merge(env: Mapping[str, str]) -> int:
    """Return the exit code of comparing the merge that is about to be committed with HEAD.

    Raises:
        UsageError: there is no merge: HEAD would be held against itself, and pass.
    """
    where = _where(env)
    repository = revisions.open_repository(where, env)
    index = Path(env.get("GIT_INDEX_FILE") or repository.git_dir / "index").absolute()
    merging = _merging(repository, env)
    if not merging:
        raise UsageError(
            "no merge is being made",
            where=str(where),
            detail="git calls this in a merge; countci pre-merge TARGET measures one beforehand",
        )
    make = partial(revisions.staged, index=index, merging=merging)
    return run(dataclasses.replace(_job(where, "HEAD", "HEAD"), make=make), _SHARED)


def _merging(repository: Repository, env: Mapping[str, str]) -> list[str]:
    """Return what is merged: git tells its hook by these variables, and writes a file later."""
    named = {name.removeprefix("GITHEAD_") for name in env if name.startswith("GITHEAD_")}
    later = repository.git_dir / "MERGE_HEAD"
    if not named and later.is_file():
        named = set(later.read_text(encoding="ascii").split())
    return sorted(filter(_is_sha, named))


def _pushes(env: Mapping[str, str]) -> tuple[Push, ...]:
    """Return what is pushed, as git tells it, or pre-commit, which keeps standard input."""
    new = env.get("PRE_COMMIT_TO_REF") or env.get("PRE_COMMIT_LOCAL_BRANCH")
    if env.get("PRE_COMMIT") != "1" or not new:
        return hooks.pushed(sys.stdin.buffer.read().decode(errors="surrogateescape"))
    branch = env.get("PRE_COMMIT_REMOTE_BRANCH", new)
    return (Push(branch=branch, old=env.get("PRE_COMMIT_FROM_REF"), new=new),)


def _one_push(repository: Repository, push: Push, remote: str) -> int:
    head = revisions.resolve(repository, push.new)
    if push.old is not None:
        return _compare(repository, push.old, head.sha)
    if revisions.known_to(repository, head, remote):
        click.echo(
            f"countci: {push.branch} is new, its commits are not: {remote} has them", err=True
        )
        return 0
    if revisions.is_first(repository, head):
        click.echo(
            f"countci: {push.branch} is a first commit: nothing to compare it with", err=True
        )
        return 0
    return _compare(repository, revisions.default_base(repository, head).sha, head.sha)


def _compare(repository: Repository, base: str, head: str) -> int:
    job = _job(repository.top or repository.git_dir, base, head)
    again = f"countci compare {base[:10]} {head[:10]} --no-time"
    return run(job, _SHARED, command=again)


def _job(where: Path, base: str, head: str) -> Job:
    job = _SHARED.job(base, head, ("instructions",))
    return dataclasses.replace(job, where=where, explain_failures=False)


def _where(env: Mapping[str, str]) -> Path:
    """Return a folder of the repository whose hook this is, whatever the folder at hand is in."""
    here = Path.cwd()
    named = env.get("GIT_DIR")
    if named is None:
        return here
    try:
        if revisions.open_repository(here, env).git_dir.samefile(named):
            return here
    except UsageError:
        pass
    return Path(named).absolute()


def _is_sha(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{40}", text) is not None
