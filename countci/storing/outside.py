"""Files outside the stage that a count depends on: libraries, an interpreter, its modules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from countci.model import Measurement


class Now:
    """What files are at this moment; each is looked at once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[str, str] = {}

    def identities(self, measurement: Measurement) -> dict[str, str]:
        """Return what each file outside that the query read is now, by its path.

        Size and time of change, since hundreds of files are looked at for one query; a package
        manager changes at least one of them. A file that is gone has an identity too.
        """
        paths: Iterable[str] = measurement.reads.outside if measurement.reads else ()
        return {path: self._identity(path) for path in paths}

    def _identity(self, path: str) -> str:
        if path not in self._seen:
            self._seen[path] = _identity(path)
        return self._seen[path]


def _identity(path: str) -> str:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return "gone"
    return f"{found.st_size} {found.st_mtime_ns}"
