"""Many commits at once: those of a range, and the line between two of them."""

from __future__ import annotations

from collections.abc import Sequence

from countci.errors import UsageError
from countci.model import Commit, Revision
from countci.revisions.names import deepen, look_up, resolve
from countci.revisions.repository import Repository

_FIELDS = ("%H", "%T", "%P", "%at", "%ct", "%s")
# Settings of the user that would add to the text, or take from it.
_LOG = (
    "log", "-z", "--topo-order", "--no-show-signature", "--no-color", "--no-notes",
    "--encoding=UTF-8", f"--format={'%x1f'.join(_FIELDS)}",
)  # fmt: skip


def ends(repository: Repository, text: str) -> tuple[Revision | None, Revision]:
    """Return both ends of a range: `A..B`, `A..`, `..B`, or `B` for all that leads to it.

    Raises:
        UsageError: an end can't be resolved, or it is no such range.
    """
    if "..." in text:
        raise UsageError(
            "what lies on either side of a fork is no line of commits",
            where=text,
            detail=f"with two points: countci log {text.replace('...', '..')}",
        )
    start, dots, end = text.partition("..")
    if not dots:
        return None, resolve(repository, text)
    return resolve(repository, start or "HEAD"), resolve(repository, end or "HEAD")


def commits(repository: Repository, text: str, *, every_parent: bool = False) -> tuple[Commit, ...]:
    """Return the commits of a range, oldest first, behind the one that it began from.

    Args:
        repository: theirs.
        text: the range, as `ends` takes it.
        every_parent: those of merged branches as well; otherwise the first parents alone.

    Raises:
        UsageError: as `ends` raises it, or there is no commit in the range.
    """
    start, end = ends(repository, text)
    which = () if every_parent else ("--first-parent",)
    without = () if start is None else (f"^{start.sha}",)
    found = _listed(repository, *which, end.sha, *without)
    if not found:
        raise _empty(repository, start, end)
    if start is None:
        return tuple(found)
    before = start.sha if every_parent else next(iter(found[0].parents), "")
    return (*_one(repository, before), *found)


def line(repository: Repository, good: Revision, bad: Revision) -> tuple[Commit, ...]:
    """Return a line of commits from `good` to `bad`, each a parent of the next.

    First parents wherever they lead back to `good`.

    Raises:
        UsageError: `good` is no ancestor of `bad`.
    """
    if not _is_ancestor(repository, good, bad) or good.sha == bad.sha:
        raise _no_ancestor(repository, good, bad)
    between = _listed(repository, "--ancestry-path", bad.sha, f"^{good.sha}")
    known = {each.sha: each for each in between}
    found, sha = [], bad.sha
    while sha != good.sha:
        found.append(known[sha])
        sha = next(each for each in known[sha].parents if each in known or each == good.sha)
    return (*_one(repository, good.sha), *reversed(found))


def _one(repository: Repository, sha: str) -> list[Commit]:
    """Return a commit; none where a shallow clone ends."""
    if not sha or look_up(repository, sha) is None:
        return []
    return _listed(repository, "--no-walk", sha)


def _listed(repository: Repository, *which: str) -> list[Commit]:
    """Return what `git log` lists, oldest first."""
    status, out, err = repository.git(*_LOG, *which, "--")
    if status:
        raise UsageError("git can't list the commits", where=" ".join(which), detail=err)
    records = out.decode(errors="replace").split("\0")
    found = [_commit(record.split("\x1f", len(_FIELDS) - 1)) for record in records if record]
    return found[::-1]


def _commit(fields: Sequence[str]) -> Commit:
    sha, tree, parents, authored, when, subject = fields
    return Commit(
        revision=Revision(name=sha[:10], sha=sha, tree=tree, subject=subject, when=int(when)),
        parents=tuple(parents.split()),
        authored=int(authored),
    )


def _is_ancestor(repository: Repository, old: Revision, new: Revision) -> bool:
    status, _, err = repository.git("merge-base", "--is-ancestor", old.sha, new.sha)
    if status not in {0, 1}:
        raise UsageError("git can't compare the two", where=f"{old.name} {new.name}", detail=err)
    return status == 0


def _empty(repository: Repository, start: Revision | None, end: Revision) -> UsageError:
    assert start is not None
    detail = "name an older start: countci log OLD..NEW"
    if start.sha != end.sha and _is_ancestor(repository, end, start):
        detail = f"the other way round: countci log {end.name}..{start.name}"
    return UsageError("no commit in the range", where=f"{start.name}..{end.name}", detail=detail)


def _no_ancestor(repository: Repository, good: Revision, bad: Revision) -> UsageError:
    """Return why there is no line, and what to type instead."""
    if good.sha == bad.sha:
        return UsageError(
            "both ends are one commit", where=f"{good.name} {bad.name}", detail="name an older GOOD"
        )
    if _is_ancestor(repository, bad, good):
        detail = f"the older one comes first: countci bisect {bad.name} {good.name} QUERY"
    elif repository.shallow:
        detail = f"a shallow clone may not show it: {deepen(repository)}"
    else:
        _, out, _ = repository.git("merge-base", good.sha, bad.sha)
        fork = out.decode().strip()[:10]
        detail = (
            f"begin where both come from: countci bisect {fork} {bad.name} QUERY"
            if fork
            else "they have no commit in common"
        )
    return UsageError(f"is not an ancestor of {bad.name}", where=good.name, detail=detail)
