"""What a build is: a digest of each file of its tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import countci.builds.normal as normal
from countci.errors import MeasureError

_GIT = ".git"
_KINDS = {
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFBLK: "device",
    stat.S_IFCHR: "device",
}


def manifest(root: Path, only: Sequence[str] = ()) -> dict[str, str]:
    r"""Return what is at each path below `root`, sorted by path.

    Not asked of git: it lists a nested repository as one name, and leaves out what is
    ignored. Only `.git` at the top is left out.

    Args:
        root: of the tree.
        only: files and folders to take, instead of all.

    Returns:
        `file SHA256`, `program SHA256` (executable), `link TARGET`, `folder` (an empty
        one), or the name of another kind. What countci can't read, a query can't
        either: `unreadable`. Bytes of a path that aren't UTF-8 are written `\xNN`.

    Raises:
        MeasureError: a path of `only` is missing.
    """
    found = {}
    try:
        for top in only or ["."]:
            for path, entry in _walk(_start(root, top), os.path.join(root, _GIT)):  # noqa: PTH118
                found[_plain(os.path.relpath(path, root))] = entry
    except OSError as error:
        raise MeasureError(
            f"can't be read: {error.strerror}", where=str(error.filename or root)
        ) from error
    return dict(sorted(found.items()))


def size(root: Path) -> int:
    """Return the bytes that the tree occupies on the disk, hard links once."""
    seen: set[int] = set()
    total = 0
    for folder, _, files in os.walk(root):
        for name in (".", *files):
            status = os.lstat(os.path.join(folder, name))  # noqa: PTH118 - speed
            if status.st_ino not in seen:
                seen.add(status.st_ino)
                total += status.st_blocks * 512
    return total


def _start(root: Path, top: str) -> str:
    start = os.path.normpath(root / top)
    if not Path(start).is_relative_to(root):
        raise MeasureError(
            "lies outside the build",
            where=f"artifacts: {top}",
            detail="artifacts are paths below the top of the project",
        )
    if not os.path.lexists(start):
        raise MeasureError(
            "the build didn't make this artifact",
            where=f"artifacts: {top}",
            detail="correct artifacts in the configuration, or the build command",
        )
    return start


def _walk(start: str, left_out: str) -> Iterator[tuple[str, str]]:
    """Yield each path from `start` on, and what is there."""
    folders = []
    mode = os.lstat(start).st_mode
    if stat.S_ISDIR(mode):
        folders.append(start)
    else:
        yield start, _entry(start, mode)
    while folders:
        folder = folders.pop()
        inside = _inside(folder)
        if not inside:
            yield folder, "folder" if inside is not None else "unreadable"
            continue
        for path, mode in inside:
            if not stat.S_ISDIR(mode):
                yield path, _entry(path, mode)
            elif path != left_out:
                folders.append(path)


def _inside(folder: str) -> list[tuple[str, int]] | None:
    """Return paths and modes in a folder; None when it can't be searched."""
    try:
        paths = [f"{folder}/{name}" for name in os.listdir(folder)]  # noqa: PTH208 - speed
        return [(path, os.lstat(path).st_mode) for path in paths]
    except PermissionError:
        return None


def _entry(path: str, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return f"link {_plain(os.readlink(path))}"  # noqa: PTH115
    if not stat.S_ISREG(mode):
        return _KINDS.get(stat.S_IFMT(mode), "other")
    try:
        return f"{'program' if mode & 0o111 else 'file'} {normal.digest(path)}"
    except PermissionError:
        return "unreadable"


def _plain(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
