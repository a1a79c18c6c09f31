"""What of a file counts when two builds are compared, by the kind of file."""

from __future__ import annotations

import csv
import hashlib
import os

import countci.builds.elf as elf

_CHUNK = 2**20


def digest(path: str) -> str:
    """Return the SHA-256 of what counts of the file, in hex.

    Two equal Python builds differ in these, so less of them counts:

    - a compiled module whose source is there: the kind of file only (interpreter, and whether
      the source's time is checked), since the source itself is digested;
    - `uv_cache.json` of an installed package, which holds times: that it is there;
    - its `RECORD`: the names, since the files themselves are digested.
    """
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - a Path costs as much as the file
        start = file.read(_CHUNK)
        if len(start) == _CHUNK and not start.startswith(elf.MAGIC):
            file.seek(0)
            return hashlib.file_digest(file, "sha256").hexdigest()
        data = start + file.read() if len(start) == _CHUNK else start
    return hashlib.sha256(_what_counts(path, data)).hexdigest()


def _what_counts(path: str, data: bytes) -> bytes:
    if data.startswith(elf.MAGIC):
        return elf.normalised(data)
    folder, name = os.path.split(path)
    if name.endswith(".pyc") and _has_source(folder, name):
        return data[:8]
    if folder.endswith(".dist-info"):
        if name == "uv_cache.json":
            return b""
        if name == "RECORD":
            return _names(data)
    return data


def _has_source(folder: str, name: str) -> bool:
    # a/__pycache__/m.cpython-311.pyc belongs to a/m.py (PEP 3147); another place has none.
    parent, cache = os.path.split(folder)
    source = os.path.join(parent, f"{name.partition('.')[0]}.py")  # noqa: PTH118
    return cache == "__pycache__" and os.path.isfile(source)  # noqa: PTH113


def _names(record: bytes) -> bytes:
    try:
        rows = csv.reader(record.decode().splitlines())
        return "\n".join(sorted(row[0] for row in rows if row)).encode()
    except (UnicodeDecodeError, csv.Error):
        return record
