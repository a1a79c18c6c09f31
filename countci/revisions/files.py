"""Files of a revision, as they are in the repository: no check-out, no conversion."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from countci.errors import UsageError
from countci.model import Revision
from countci.revisions.repository import Repository

if TYPE_CHECKING:
    import git

TIME_STAMP = 1_000_000_000
"""Of every file that countci writes out, in seconds since 1970: the same on both sides."""

_LINK = 0o120000
_KIND = 0o170000


def read_file(repository: Repository, revision: Revision, path: str) -> bytes | None:
    """Return the contents of the file at `path`, or None when there is none.

    Those of a symbolic link are its target.
    """
    found = _find(repository, revision, path)
    return _contents(found) if found is not None and found.type == "blob" else None


def list_files(repository: Repository, revision: Revision, folder: str) -> tuple[str, ...]:
    """Return the paths of all files at any depth below `folder`, from the root, sorted."""
    return tuple(sorted(str(blob.path) for blob in _blobs(repository, revision, folder)))


def export(repository: Repository, revision: Revision, folder: str, into: Path) -> None:
    """Write all files below `folder` to `into`, which must not exist yet.

    Contents, executable bits and symbolic links are the repository's, time stamps are
    constant. Without such a folder `into` is empty.
    """
    into.mkdir(parents=True)
    for blob in _blobs(repository, revision, folder):
        target = into / PurePosixPath(str(blob.path)).relative_to(PurePosixPath(folder))
        target.parent.mkdir(parents=True, exist_ok=True)
        if blob.mode & _KIND == _LINK:
            target.symlink_to(os.fsdecode(_contents(blob)))
        else:
            target.write_bytes(_contents(blob))
            target.chmod(0o755 if blob.mode & 0o100 else 0o644)
        os.utime(target, (TIME_STAMP, TIME_STAMP), follow_symlinks=False)


def changed_paths(repository: Repository, base: Revision, head: Revision) -> tuple[str, ...]:
    """Return the paths whose contents or mode differ, sorted; both names of what was renamed."""
    status, out, err = repository.git(
        "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=none",
        base.tree, head.tree,
    )  # fmt: skip
    if status:
        raise UsageError("git can't compare the two trees", where=head.name, detail=err)
    return tuple(sorted(os.fsdecode(path) for path in out.split(b"\0") if path))


def tree_digest(repository: Repository, revision: Revision, paths: Sequence[str]) -> str:
    """Return a digest of what lies at `paths`, or of the whole tree when there are none.

    It is one of names, modes and object ids; a submodule counts as its commit, and a path
    that isn't there as absent.
    """
    whole = hashlib.sha256()
    for path in sorted({_normal(path) for path in paths} or {"."}):
        found = _find(repository, revision, path)
        what = "absent" if found is None else f"{found.mode:o} {found.hexsha}"
        whole.update(os.fsencode(f"{path}\0{what}\0"))
    return whole.hexdigest()


def _normal(path: str) -> str:
    plain = PurePosixPath(path)
    if plain.is_absolute() or ".." in plain.parts:
        raise UsageError("is not a path inside the repository", where=path)
    return str(plain)


def _root(repository: Repository, revision: Revision) -> git.Tree:
    import git

    return git.Tree(repository.repo, bytes.fromhex(revision.tree), 0o40000, "")


def _find(
    repository: Repository, revision: Revision, path: str
) -> git.Tree | git.Blob | git.Submodule | None:
    found: git.Tree | git.Blob | git.Submodule = _root(repository, revision)
    for part in PurePosixPath(_normal(path)).parts:
        if found.type != "tree":
            return None
        assert not isinstance(found, str)
        try:
            found = found[part]
        except KeyError:
            return None
    return found


def _blobs(repository: Repository, revision: Revision, folder: str) -> Iterator[git.Blob]:
    import git

    found = _find(repository, revision, folder)
    waiting = [found] if isinstance(found, git.Tree) else []
    while waiting:
        tree = waiting.pop()
        waiting += tree.trees
        yield from tree.blobs


def _contents(blob: git.Blob) -> bytes:
    contents: bytes = blob.data_stream.read()
    return contents
