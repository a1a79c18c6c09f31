"""The only way a tree changes its place: by rename, whole, onto nothing."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path

from countci.builds.places import Places
from countci.errors import MeasureError, UsageError


def move(source: Path, target: Path) -> None:
    """Rename `source` to `target`, which must not exist.

    Raises:
        UsageError: they lie on different file systems, or `source` is a mount point; a copy
            would be another tree (times, hard links), so there is none.
        MeasureError: the target exists, or the rename fails otherwise.
    """
    # rename replaces an empty folder without a word, so the error can't be left to it.
    if os.path.lexists(target):
        raise MeasureError(
            "is in the way of a build", where=str(target), detail=f"delete it: rm -r {target}"
        )
    try:
        _rename(source, target)
    except OSError as error:
        if error.errno in (errno.EXDEV, errno.EBUSY):
            raise UsageError(
                f"can't be renamed to {target}: {error.strerror}",
                where=str(source),
                detail="a mount or a lower layer of a container's image lies between them: "
                "name a folder on one file system with --cache-dir FOLDER",
            ) from error
        raise MeasureError(
            f"can't be renamed to {target}: {error.strerror}", where=str(source)
        ) from error


def discard(path: Path, places: Places) -> None:
    """Move `path` to the trash, if it is there at all."""
    if os.path.lexists(path):
        move(path, Path(tempfile.mkdtemp(dir=places.trash)) / path.name)


def renew(folder: Path, places: Places) -> None:
    """Make `folder` an empty one; what was in it goes to the trash."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    discard(folder, places)
    folder.mkdir()


def _rename(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except PermissionError:
        # A folder whose own mode forbids writing can't be renamed: its `..` changes.
        mode = source.lstat().st_mode
        if not stat.S_ISDIR(mode) or mode & stat.S_IWUSR:
            raise
        source.chmod(stat.S_IMODE(mode) | stat.S_IRWXU)
        source.rename(target)
