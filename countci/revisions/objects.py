"""Folders of git objects that borrow from one another."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})


def quoted(text: Path | str) -> str:
    """Return `text` in double quotes, as git's settings and lists of folders understand it."""
    return '"' + str(text).translate(_ESCAPES) + '"'


def unquoted(line: str) -> str:
    """Return what `quoted` was given; a line without quotes stays as it is."""
    if not line.startswith('"'):
        return line
    inner = line.removeprefix('"').removesuffix('"')
    plain = os.fsencode(inner).decode("unicode_escape")  # a character a byte: git's are octal
    return os.fsdecode(plain.encode("latin-1"))


def object_folders(folders: Sequence[Path]) -> tuple[Path, ...]:
    """Return `folders` and all that they borrow from, each once, real paths.

    Source:
        gitrepository-layout(5), objects/info/alternates: one folder a line, relative ones
        to the folder of objects that borrows, `#` begins a comment.
    """
    found: dict[Path, None] = {}
    waiting = list(folders)
    while waiting:
        folder = waiting.pop(0).resolve()
        if folder in found or not folder.is_dir():
            continue
        found[folder] = None
        waiting += [folder / line for line in _borrowed(folder)]
    return tuple(found)


def _borrowed(folder: Path) -> list[str]:
    try:
        text = (folder / "info" / "alternates").read_text(errors="surrogateescape")
    except FileNotFoundError:
        return []
    return [unquoted(line) for line in text.split("\n") if line and not line.startswith("#")]
