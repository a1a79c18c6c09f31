"""Files and functions of a profile, as both sides of a comparison name them. Pure."""

from __future__ import annotations

import posixpath
from pathlib import Path

from countci.counting.symbols import cleaned

UNKNOWN = "???"


def shown_file(name: str, *, within: str, stage: Path) -> str:
    """Return the path of a source file as rows have it: below the stage, or absolute.

    Args:
        name: as the debug information has it.
        within: path of the file that the code is in. The C library's own sources are named
            relative to a folder that isn't here: they must not look like the project's.
        stage: the tree.
    """
    if name == UNKNOWN:
        return name
    path = posixpath.normpath(name)
    if path.startswith("/"):
        return path.removeprefix(f"{stage}/")
    return path if _below(within, stage) else f"{within}:{path}"


def shown_function(name: str, *, within: str, stage: Path) -> str:
    """Return the name of a function as rows have it; `???` for code of the stage without names.

    Args:
        name: as callgrind writes it: an address where there is no symbol.
        within: path of the file that the code is in.
        stage: the tree.
    """
    if not name.startswith("0x"):
        return cleaned(name)
    # An address of a library is the same on both sides; one of the project's own code isn't.
    return UNKNOWN if _below(within, stage) else f"{posixpath.basename(within)}:{name}"


def _below(path: str, stage: Path) -> bool:
    return path.startswith(f"{stage}/")
