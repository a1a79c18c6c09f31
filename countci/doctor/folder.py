"""The folder that builds are kept in. Pure, but for `can_rename`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from countci.doctor.finding import Finding, note, ok, problem

_REMEDY = "name a folder on a local disk: --cache-dir FOLDER"
# A rename there is a request over the network: two machines, or a cut line, can disagree on it.
_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs"})
_MEMORY = frozenset({"tmpfs", "ramfs"})


def file_system(path: Path, mounts: str) -> str:
    """Return the type of the file system that holds `path`, by the text of `/proc/self/mounts`."""
    best, kind = Path("/"), "unknown"
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        if path.is_relative_to(point) and len(point.parts) >= len(best.parts):
            best, kind = point, fields[2]
    return kind


def folder(path: Path, kind: str, failure: str) -> Finding:
    """Judge the cache folder: its file system, and why nothing can be renamed in it, if so."""
    if failure:
        return problem("cache", f"{path} ({kind}): {failure}", _REMEDY)
    if kind in _MEMORY:
        return note("cache", f"{path} is in memory ({kind}): builds are lost at a restart", _REMEDY)
    if kind in _REMOTE:
        return note("cache", f"{path} is on a network file system ({kind})", _REMEDY)
    return ok("cache", f"{path} ({kind})")


def can_rename(path: Path) -> str:
    """Return why a folder can't be made and renamed below `path`, or nothing where it can."""
    try:
        with tempfile.TemporaryDirectory(dir=existing(path), prefix="countci-doctor-") as made:
            before, after = Path(made, "before"), Path(made, "after")
            before.mkdir()
            before.rename(after)
            with (after / "file").open("wb") as file:
                os.fsync(file.fileno())
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


def existing(path: Path) -> Path:
    """Return `path`, or the nearest folder above it that is there."""
    return next(folder for folder in (path, *path.parents) if folder.is_dir())
