"""What another run uploaded: a file that a stranger may have made, and so no more than bytes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from countci.errors import MeasureError

BIGGEST = 5 * 2**20
"""Bytes."""
_NAME = "result.json"


def read_artifact(path: Path) -> bytes:
    """Return the content of the file `path`, or of the one file of the folder, result.json.

    Raises:
        MeasureError: it isn't there, there is more, it is a link or no file, or too big.
    """
    try:
        if stat.S_ISDIR(path.lstat().st_mode):
            _only(path)
            path = path / _NAME
        return _content(path)
    except FileNotFoundError as error:
        raise MeasureError(
            "the run left no result", where=str(path), detail="its own log says why"
        ) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise MeasureError(f"can't be read: {why}", where=str(path)) from error


def _only(folder: Path) -> None:
    others = sum(entry.name != _NAME for entry in os.scandir(folder))
    if others:
        raise MeasureError(f"holds {others} more than {_NAME}", where=str(folder))


def _content(path: Path) -> bytes:
    # Not opened through a link, nor waited for as a pipe would be.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise MeasureError("is no regular file", where=str(path))
        content = file.read(BIGGEST + 1)
    if len(content) > BIGGEST:
        raise MeasureError(f"has more than {BIGGEST:,} bytes", where=str(path))
    return content
