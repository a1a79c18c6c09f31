"""Where the file of an installed module lies in the project's tree."""

from __future__ import annotations

import re
from collections.abc import Iterable

_INSTALLED = re.compile(r".*/(?:site|dist)-packages/")


def module_path(file: str) -> str:
    """Return a path without what leads to the folder of installed packages."""
    found = _INSTALLED.match(f"/{file}")
    return f"/{file}"[found.end() :] if found else file


def in_tree(file: str, changed: Iterable[str]) -> str:
    """Return the path in the tree of what ran from `file`; what did not change stays as it is.

    Args:
        file: below the stage, or absolute.
        changed: paths of the tree that the diff names.
    """
    module = module_path(file)
    if module == file:
        return file
    found = [path for path in changed if path == module or path.endswith(f"/{module}")]
    return min(found, key=len, default=file)  # `src/` in front, and no more
