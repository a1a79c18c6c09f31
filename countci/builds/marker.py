"""What tells a finished build from half of one: a file in its tree, written last."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

_FOLDER = ".git"  # in no manifest, and it moves with the tree
_MARKER = "countci.json"
_MANIFEST = "countci-manifest.json"


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """Of one finished build. Made by `cache`."""

    key: str
    seconds: float
    """How long it took."""
    size: int
    """Bytes that it occupies on the disk."""
    manifest: str = ""
    """SHA-256 of the manifest's file; filled in by `write`."""


def write(tree: Path, marker: Marker, manifest: dict[str, str]) -> None:
    """Mark `tree` as finished, durably: the manifest first, the marker last."""
    data = msgspec.json.encode(manifest)
    folder = tree / _FOLDER
    folder.mkdir(exist_ok=True)
    # A marker that outlives a power cut must not vouch for files that didn't; and what is
    # on the disk by now is not written back during timed runs.
    os.sync()
    _write(folder / _MANIFEST, data)
    signed = msgspec.structs.replace(marker, manifest=hashlib.sha256(data).hexdigest())
    _write(folder / _MARKER, msgspec.json.encode(signed))


def read(tree: Path) -> Marker | None:
    """Return the marker of a finished build; None when `tree` isn't one."""
    try:
        data = (tree / _FOLDER / _MARKER).read_bytes()
        return msgspec.json.decode(data, type=Marker)
    except (OSError, msgspec.DecodeError):
        return None


def read_manifest(tree: Path, marker: Marker) -> dict[str, str] | None:
    """Return the manifest that `marker` was written for; None when it is damaged."""
    try:
        data = (tree / _FOLDER / _MANIFEST).read_bytes()
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest() != marker.manifest:
        return None
    return msgspec.json.decode(data, type=dict[str, str])


def touch(tree: Path) -> None:
    """Note that the build is used now; the oldest use is pruned first."""
    os.utime(tree / _FOLDER / _MARKER)


def last_use(tree: Path) -> int:
    """Return when the build was used last, in nanoseconds since 1970."""
    return (tree / _FOLDER / _MARKER).stat().st_mtime_ns


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(f"{path.name}.tmp")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
