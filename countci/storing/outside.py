"""What a count depends on outside the stage: libraries, an interpreter, its modules."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable

from countci.model import Measurement


class Now:
    """What files are at this moment; each is looked at once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[str, str] = {}

    def identities(self, measurement: Measurement) -> dict[str, str]:
        """Return what is at each path outside that the query looked at, by the path.

        Of a file size and time of change, since hundreds are looked at for one query, and a
        package manager changes at least one of the two. Of a link where it leads; of a folder
        that was listed its names. What isn't there has an identity too. How many processors
        there are decides how many threads some programs start.
        """
        paths: Iterable[str] = measurement.reads.outside if measurement.reads else ()
        processors = f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}"
        return {"processors": processors, **{path: self._identity(path) for path in paths}}

    def _identity(self, path: str) -> str:
        if path not in self._seen:
            self._seen[path] = _identity(path)
        return self._seen[path]


def _identity(path: str) -> str:
    try:
        if path.endswith("/"):
            names = "\0".join(sorted(os.listdir(path)))  # noqa: PTH208 - names only
            return f"names {hashlib.sha256(os.fsencode(names)).hexdigest()[:16]}"
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return f"link {os.readlink(path)}"  # noqa: PTH115 - as above
    except (OSError, ValueError):
        return "gone"
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    return f"{found.st_size} {found.st_mtime_ns}"
