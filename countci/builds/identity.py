"""Whether a query can have changed at all: what differs between two builds ∩ what it read."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping

from countci.model import Build, Identity, ReadSet

_GIT = ".git"


def identical(
    base: Build, head: Build, reads: ReadSet, artifacts: Collection[str] = ()
) -> Identity | None:
    """Return why the query can't have changed between the builds; None when it can.

    Args:
        base: the build that the query ran on.
        head: the other one.
        reads: what the query and its setup touched on base. One that isn't known to be
            complete proves nothing but for equal builds.
        artifacts: what the manifests hold, where it isn't the whole tree. What was read beside
            them may differ, and nobody knows.
    """
    before, after = _with_folders(base.manifest), _with_folders(head.manifest)
    paths = before.keys() | after.keys()
    differs = {path for path in paths if before.get(path) != after.get(path)}
    files = base.manifest.keys() | head.manifest.keys()
    proof = Identity(differs=tuple(sorted(differs & files)))
    partly = artifacts and (reads.unknown or not _all_within(reads.paths, artifacts))
    if partly or _touches_git(reads.paths):
        return None  # no manifest holds it
    if not differs:
        return proof
    # A name with bytes that aren't UTF-8 may be spelt otherwise in the read set.
    if reads.unknown or any("\\" in path or "\ufffd" in path for path in differs):
        return None
    listed = {_plain(path) for path in reads.paths if path.endswith("/")}
    touched = _with_parents(_plain(path) for path in reads.paths)
    if differs & touched:
        return None
    changed_names = {path for path in differs if _kind(before, path) != _kind(after, path)}
    if any(posixpath.dirname(path) in listed for path in changed_names):
        return None
    return proof


def _all_within(paths: Iterable[str], artifacts: Collection[str]) -> bool:
    """Whether a manifest of `artifacts` tells all about `paths`."""
    tops = [posixpath.normpath(top) for top in artifacts]
    return all(
        any(_plain(path) == top or _plain(path).startswith(f"{top}/") for top in tops)
        # A folder on the way to one, which was not listed.
        or (not path.endswith("/") and any(_leads(_plain(path), top) for top in tops))
        for path in paths
    )


def _leads(path: str, top: str) -> bool:
    return not path or top.startswith(f"{path}/")


def _with_folders(manifest: Mapping[str, str]) -> dict[str, str]:
    """Return the manifest with all folders: one that comes or goes changes what a look-up finds."""
    folders = _with_parents(map(posixpath.dirname, manifest))
    return {**dict.fromkeys(folders, "folder"), **manifest}


def _with_parents(paths: Iterable[str]) -> set[str]:
    """Return `paths` and all folders that lead to them, but for the stage itself."""
    found: set[str] = set()
    for path in paths:
        rest = path
        while rest and rest not in found:
            found.add(rest)
            rest = posixpath.dirname(rest)
    return found


def _kind(manifest: Mapping[str, str], path: str) -> str:
    """Return what a listing of the parent tells about a path."""
    return manifest.get(path, "").partition(" ")[0]


def _plain(path: str) -> str:
    """Return a path of a read set as a manifest writes it; the stage itself is empty."""
    normal = posixpath.normpath(path)
    return "" if normal in {".", "/"} else normal


def _touches_git(paths: Iterable[str]) -> bool:
    return any(path == _GIT or path.startswith(f"{_GIT}/") for path in paths)
