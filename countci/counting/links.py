"""Paths as the kernel walks them: link by link."""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Callable

_MOST = 40
"""Links that the kernel follows in one path (path_resolution(7))."""


class Walker:
    """Walks paths, and remembers what it has seen of the tree."""

    def __init__(self, read_link: Callable[[str], str] = os.readlink) -> None:
        """Take the function that reads a link; it raises OSError where there is none."""
        self._read_link = read_link
        self._known: dict[str, str | None] = {}
        self._missing: set[str] = set()

    def walk(self, path: str) -> list[str]:
        """Return every name that decides where an absolute `path` leads.

        These are the links on the way, the parts that are missing, and the end. A file or
        link that appears at any other name can't change what the path means.
        """
        seen: list[str] = []
        at, parts = "/", path.split("/")[::-1]
        links = 0
        while parts:
            part = parts.pop()
            if part in {"", "."}:
                continue
            if part == "..":
                at = posixpath.dirname(at)
                continue
            at = posixpath.join(at, part)
            target = self._target(at)
            if target is not None and links < _MOST:
                links += 1
                seen.append(at)
                parts.extend(target.split("/")[::-1])
                at = "/" if target.startswith("/") else posixpath.dirname(at)
            elif at in self._missing and parts:
                seen.append(at)
        seen.append(at)
        return seen

    def _target(self, path: str) -> str | None:
        """Return what a link says; None for everything that is none."""
        if path not in self._known:
            self._known[path] = self._look(path)
        return self._known[path]

    def _look(self, path: str) -> str | None:
        try:
            return self._read_link(path)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ENOTDIR}:
                self._missing.add(path)
            return None
        except ValueError:  # a NUL in it
            return None
