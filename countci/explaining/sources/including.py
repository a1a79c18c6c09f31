"""The headers that sources include, as far as they lie in the tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from countci.explaining.sources.tree import Tree

_INCLUDE = re.compile(r"\s*#\s*include\s*[\"<]([^\">]+)[\">]")
_MOST = 300
"""Files."""


def included(tree: Tree, files: Iterable[str]) -> tuple[str, ...]:
    """Return `files` and the headers they include, and those include; sorted.

    A header is looked for beside the file, below each folder of a known file and below
    `include`: what `-I` says isn't known.
    """
    found = dict.fromkeys(sorted(files))
    folders = dict.fromkeys(posixpath.dirname(file) for file in found)
    folders["include"] = folders[""] = None
    waiting = list(found)
    while waiting and len(found) < _MOST:
        file = waiting.pop()
        for line in tree.lines(file):
            if match := _INCLUDE.match(line):
                path = _resolved(tree, match[1], [posixpath.dirname(file), *folders])
                if path and path not in found:
                    found[path] = None
                    waiting.append(path)
    return tuple(sorted(found))


def _resolved(tree: Tree, name: str, folders: Iterable[str]) -> str | None:
    for folder in folders:
        path = posixpath.normpath(posixpath.join(folder, name))
        if not path.startswith("..") and tree.lines(path):
            return path
    return None
