"""Where the objects of submodules are: in the user's own clone, never on a network."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from countci.errors import UsageError
from countci.revisions.skeleton import Checkout, Source, Tracked


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A submodule of one commit. Made by `find_links`."""

    name: str
    path: str
    sha: str


def find_links(checkout: Checkout, commit: str, tracked: Sequence[Tracked]) -> list[Link]:
    """Return the submodules of a commit; what .gitmodules doesn't name stays empty, as in git.

    Raises:
        UsageError: a name leads out of the folder of submodules.
    """
    places = [entry for entry in tracked if entry.is_submodule]
    if not places:
        return []
    names = _names(checkout, commit)
    for name in names.values():
        if name.startswith("/") or ".." in PurePosixPath(name).parts:
            raise UsageError("is no safe name of a submodule", where=name)
    return [
        Link(name=names[place.path], path=place.path, sha=place.sha)
        for place in places
        if place.path in names
    ]


def _names(checkout: Checkout, commit: str) -> dict[str, str]:
    """Return the name of the submodule at each path that .gitmodules lists."""
    listed = checkout.git(
        "config", "-z", f"--blob={commit}:.gitmodules", "--get-regexp", r"^submodule\..*\.path$",
        check=False,
    )  # fmt: skip
    names = {}
    for entry in os.fsdecode(listed.stdout).split("\0")[:-1]:
        key, _, path = entry.partition("\n")
        names[path] = key.removeprefix("submodule.").removesuffix(".path")
    return names


def source_of(link: Link, outer: Source, users: Path | None) -> Source:
    """Return where the submodule's objects are on this machine.

    Args:
        link: the submodule.
        outer: of the project that it is in; its modules are below the same git folders.
        users: where the user's own worktree has it, if anywhere.

    Raises:
        UsageError: nowhere.
    """
    places = [folder / "modules" / link.name for folder in outer.git_dirs]
    if users is not None:
        places.append(users / ".git")  # older than git 1.7.8, or cloned by hand
    git_dirs = tuple(place for place in places if (place / "objects").is_dir())
    if not git_dirs:
        raise UsageError(
            "this submodule is not initialised in your clone",
            where=link.path,
            detail="git submodule update --init --recursive",
        )
    return Source(git_dirs=git_dirs)


def require_commit(checkout: Checkout, link: Link) -> None:
    """Raise UsageError unless the submodule's commit is on this machine."""
    if checkout.git("cat-file", "-e", f"{link.sha}^{{commit}}", check=False).status:
        raise UsageError(
            f"this submodule's commit {link.sha[:12]} is not in your clone",
            where=link.path,
            detail=f"git -C {shlex.quote(link.path)} fetch origin {link.sha}",
        )
