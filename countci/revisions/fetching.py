"""Commits that are missing in CI's shallow check-out, brought from where it came from.

The only place that adds to the user's repository, and only because an action asked for it:
objects, and where history is cut off; no branch, no tag, no FETCH_HEAD.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from countci import process
from countci.errors import MeasureError
from countci.revisions.environment import of_user
from countci.revisions.names import look_up
from countci.revisions.repository import Repository
from countci.units import Seconds

_PATIENCE = Seconds(900.0)
_PASSWORD = re.compile(r"(?<=://)[^/@\s]*@")
_BRING = """let the check-out bring it, or leave its credentials to countci:
- uses: actions/checkout@...
  with: {fetch-depth: 0}"""


def has(repository: Repository, sha: str) -> bool:
    """Whether the commit is in the repository."""
    known = look_up(repository, sha)
    return known is not None and known[0] == "commit"


def fetch(repository: Repository, shas: Sequence[str], *how: str) -> None:
    """Bring these commits, in one go; none is brought when there are none.

    Args:
        repository: which misses them.
        shas: 40 hex digits each.
        how: `--depth=1`, `--deepen=50`. Without any, a shallow clone gets the commits alone.

    Raises:
        MeasureError: git can't, with what it says and what to do.
    """
    if not shas:
        return
    alone = ("--depth=1",) if repository.shallow else ()
    fixed = ("--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--quiet")
    _ask(repository, "fetch", *fixed, *(how or alone), _remote(repository), *shas)
    repository.repo.git.clear_cache()


def fetch_missing(repository: Repository, shas: Sequence[str]) -> None:
    """Bring those of the commits that are not here, in one go.

    Raises:
        MeasureError: as `fetch` raises it.
    """
    fetch(repository, [sha for sha in dict.fromkeys(shas) if not has(repository, sha)])


def remote_tip(repository: Repository, name: str) -> str | None:
    """Return the commit that a tag or branch of the remote is at, tags first; None without one.

    Raises:
        MeasureError: the remote doesn't answer.
    """
    refs = (f"refs/tags/{name}^{{}}", f"refs/tags/{name}", f"refs/heads/{name}")
    out = _ask(repository, "ls-remote", _remote(repository), *refs)
    lines = (line.partition("\t") for line in out.splitlines())
    found = {ref: sha for sha, _, ref in lines}
    return next((found[ref] for ref in refs if ref in found), None)


def _remote(repository: Repository) -> str:
    names = [remote.name for remote in repository.repo.remotes]
    if not names:
        raise MeasureError(
            "a commit is missing, and there is no remote to bring it from",
            where=str(repository.top or repository.common),
        )
    return "origin" if "origin" in names else names[0]


def _ask(repository: Repository, *words: str) -> str:
    command = process.Command(
        argv=("git", *words),
        env=of_user(repository.env),
        private=True,
        cwd=repository.top or repository.common,
        timeout=_PATIENCE,
    )
    finished = process.run(command, check=False)
    if finished.status:
        said = _PASSWORD.sub("", finished.stderr.strip())
        raise MeasureError(
            "git can't bring what is missing",
            where=_PASSWORD.sub("", command.line),
            detail=f"{said}\n{_BRING}",
        )
    return finished.stdout.decode(errors="replace")
