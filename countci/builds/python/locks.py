"""What the lock files of poetry and pdm hold, as constraints for uv or pip. Pure.

Only versions are taken: which packages are needed, the project's own dependencies say. So it
doesn't matter how a tool groups them in its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from countci.builds.python.project import normal
from countci.errors import UsageError
from countci.reading.toml import parse

FILES = ("poetry.lock", "pdm.lock")
"""The first that is there counts."""


class _Package(msgspec.Struct):
    """A package of either file.

    Source:
        poetry 2.1's and pdm 2.20's own lock files. Older ones have fewer keys.
    """

    name: str
    version: str
    source: dict[str, Any] = {}
    """Of poetry, when it isn't from PyPI."""
    markers: str | dict[str, str] = ""
    """Of poetry; a table has one for each group."""
    marker: str = ""
    """Of pdm."""
    git: str = ""
    """Of pdm."""
    revision: str = ""
    url: str = ""
    path: str = ""

    @property
    def line(self) -> str:
        """What to ask for to get exactly this; empty for a folder, which the project names."""
        kind, url = self.source.get("type"), self.source.get("url", "")
        if self.path or kind in {"directory", "file"}:
            return ""
        if self.git or kind == "git":
            commit = self.revision or self.source.get("resolved_reference", "")
            return f"{self.name} @ git+{self.git or url}@{commit}"
        if self.url or kind == "url":
            return f"{self.name} @ {self.url or url}"
        return f"{self.name}=={self.version}"

    @property
    def condition(self) -> str:
        """Where this version is meant; empty when the file doesn't say."""
        told = self.markers or self.marker
        if isinstance(told, str):
            return told
        return " or ".join(f"({each})" for each in dict.fromkeys(told.values()))


class _File(msgspec.Struct):
    package: list[_Package] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """A lock file of the project's own. Made by `read_lock`."""

    file: str = ""
    """Empty when there is none."""
    lines: tuple[str, ...] = ()
    """Constraints, one for each version."""


def read_lock(read: Callable[[str], bytes | None], *, where: str) -> Lock:
    """Return what the first lock file that is there holds.

    Args:
        read: gives a file's content by its path, None when there is none.
        where: the revision, for messages.

    Raises:
        UsageError: it is not TOML, or not of poetry's or pdm's form.
    """
    for file in FILES:
        content = read(file)
        if content is not None:
            return Lock(file=file, lines=_lines(_packages(content, f"{file} of {where}")))
    return Lock()


def _packages(content: bytes, where: str) -> list[_Package]:
    document = parse(content, file=where)
    try:
        return msgspec.convert(document.table, _File).package
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{error}", where=where, detail="make it anew, or remove it from the repository"
        ) from error


def _lines(packages: Iterable[_Package]) -> tuple[str, ...]:
    """Return a constraint for each version.

    Where a file has several versions of a package and doesn't say which is for what, as
    poetry's of before 2.1, the package stays free.
    """
    versions: dict[str, dict[str, str]] = {}
    for package in packages:
        if package.line:
            versions.setdefault(normal(package.name), {})[package.line] = package.condition
    found: list[str] = []
    for lines in versions.values():
        if len(lines) == 1:
            found.extend(lines)
        elif all(lines.values()):
            found.extend(f"{line} ; {condition}" for line, condition in lines.items())
    return tuple(sorted(found, key=str.lower))
