"""What one revision asks for, by its own files and the configuration. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import countci.builds.python.project as projects
from countci.builds.python.locks import Lock, read_lock
from countci.builds.python.project import Project, normal
from countci.builds.python.requirements import flatten, is_local
from countci.builds.python.uv import LOCK
from countci.errors import UsageError
from countci.model import PythonEnvironment

_SETTINGS = "uv.toml"
_NO_PACKAGE = "write install = false into [python] when the project is no package"

Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A revision to ask."""

    read: Read
    """Gives a file's content by its path, None when there is none."""
    tree: str
    """Digest of all its files."""
    where: str
    """Its name, for messages."""

    def project(self) -> Project:
        """Return what its pyproject.toml says."""
        return projects.read_project(self.read(projects.FILE), where=self.where)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one revision asks for; two that are equal have the same answer. Made by `asked`."""

    project: str
    """Normal name; empty when it isn't known."""
    runtime: tuple[str, ...]
    constraints: tuple[str, ...]
    options: tuple[str, ...]
    build: tuple[str, ...]
    settings: str
    """Of uv, in pyproject.toml and uv.toml."""
    tree: str
    """Of the revision, when a line names a folder of it; otherwise only `files` are needed."""
    extras: tuple[str, ...] = ()
    """To take from the lock file."""
    groups: tuple[str, ...] = ()
    """To take from the lock file."""
    lock: bytes | None = None
    """uv's, when there is one and uv reads it."""
    held: Lock = field(default_factory=Lock)
    """Of another tool, when uv's isn't there."""
    files: Mapping[str, bytes] = field(default_factory=dict, compare=False)
    """pyproject.toml and the like, by path."""


def asked(python: PythonEnvironment, source: Source, head: Source, *, reads_locks: bool) -> Asked:
    """Return what `source` asks for.

    Groups, extras and requirements files that it doesn't have yet are `head`'s: what a
    measurement needs is the same on both sides.

    Raises:
        UsageError: a file is malformed, or what the configuration names isn't there.
    """
    own, other = source.project(), head.project()
    if python.install:
        _refuse_no_package(own, source)
    if own.sources and not reads_locks:
        raise UsageError(
            "tool.uv.sources is known to uv alone, and there is none",
            where=f"{projects.FILE} of {source.where}",
            detail="pip install uv; the index may have strangers of the same names",
        )
    lines = flatten(
        python.requirements,
        lambda path: content if (content := source.read(path)) is not None else head.read(path),
        where=source.where,
    )
    lock = source.read(LOCK) if reads_locks else None
    runtime = (*_of_project(python, own, other, lock), *python.packages, *lines.asked)
    needs_tree = any(map(is_local, runtime)) or (lock is not None and own.workspace)
    return Asked(
        project=own.name,
        runtime=tuple(dict.fromkeys(runtime)),
        constraints=lines.constraints,
        options=lines.options,
        build=own.build if python.install else (),
        settings=f"{own.settings}\n{(source.read(_SETTINGS) or b'').decode(errors='replace')}",
        tree=source.tree if needs_tree else "",
        extras=tuple(name for name in python.extras if normal(name) in own.extras),
        groups=tuple(name for name in python.groups if normal(name) in own.groups),
        lock=lock,
        held=read_lock(source.read, where=source.where) if lock is None else Lock(),
        files=_files(source, lock),
    )


def _files(source: Source, lock: bytes | None) -> dict[str, bytes]:
    found = {name: source.read(name) for name in (projects.FILE, _SETTINGS)}
    return {name: text for name, text in {**found, LOCK: lock}.items() if text is not None}


def _refuse_no_package(own: Project, source: Source) -> None:
    names = (projects.FILE, "setup.py", "setup.cfg")
    if not own.packaged and all(source.read(name) is None for name in names):
        raise UsageError(
            "no pyproject.toml and no setup.py to install", where=source.where, detail=_NO_PACKAGE
        )


def _of_project(
    python: PythonEnvironment, own: Project, other: Project, lock: bytes | None
) -> list[str]:
    """Return the project's own lines; with a lock file, only those that it doesn't hold."""
    if lock is not None:
        extras = [name for name in python.extras if normal(name) not in own.extras]
        groups = [name for name in python.groups if normal(name) not in own.groups]
        return [
            *_lines(extras, other.extras, {}, "extras"),
            *_lines(groups, other.groups, {}, "groups"),
        ]
    in_groups = _lines(python.groups, own.groups, other.groups, "groups")
    if own.dependencies is None and (python.install or own.packaged):
        extras_of_it = f"[{','.join(python.extras)}]" if python.extras else ""
        return [f".{extras_of_it}", *in_groups]
    in_extras = _lines(python.extras, own.extras, other.extras, "extras")
    return [*(own.dependencies or ()), *in_extras, *in_groups]


def _lines(
    names: Iterable[str],
    own: Mapping[str, tuple[str, ...]],
    other: Mapping[str, tuple[str, ...]],
    kind: str,
) -> list[str]:
    """Return the lines of the extras or groups of these names."""
    found: list[str] = []
    for name in names:
        lines = own.get(normal(name), other.get(normal(name)))
        if lines is None:
            known = ", ".join(sorted({*own, *other})) or "none"
            raise UsageError(
                f"the project has no {name}", where=f"python.{kind}", detail=f"there are: {known}"
            )
        found.extend(lines)
    return found
