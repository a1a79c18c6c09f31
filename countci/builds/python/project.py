"""What a pyproject.toml says of dependencies. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from countci.errors import UsageError
from countci.reading.toml import parse

FILE = "pyproject.toml"
# PEP 518: what builds a project that doesn't say.
_USUAL = ("setuptools",)
_WITH_EXTRAS = re.compile(r"\s*([A-Za-z0-9._-]+)\s*\[([^\]]*)\]\s*$")


class _Table(msgspec.Struct, rename="kebab"):
    name: str = ""
    dependencies: list[str] = []
    optional_dependencies: dict[str, list[str]] = {}
    dynamic: list[str] = []


class _System(msgspec.Struct):
    requires: list[str] = []


class _File(msgspec.Struct, rename="kebab"):
    project: _Table | None = None
    build_system: _System | None = None
    dependency_groups: dict[str, list[str | dict[str, str]]] = {}
    tool: dict[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project's dependencies, as requirement lines. Made by `read_project`."""

    name: str
    """Normal; empty when only the build backend knows it."""
    packaged: bool
    """It has a `[project]` table."""
    dependencies: tuple[str, ...] | None
    """None when only the build backend, or uv, knows them."""
    extras: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, tuple[str, ...]]
    build: tuple[str, ...]
    """Of its build backend."""
    settings: str
    """`[tool.uv]`, as one line."""
    sources: bool
    """Some of its packages don't come from an index, as only uv knows."""
    workspace: bool
    """uv's lock file covers other folders of the tree too."""


def normal(name: str) -> str:
    """Return the one spelling of a package's name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_project(content: bytes | None, *, where: str) -> Project:
    """Return what a pyproject.toml says; None is a project without one.

    Raises:
        UsageError: it is not TOML, or not of the form that the packaging standards give it.
    """
    document = parse(content or b"", file=f"{FILE} of {where}")
    try:
        file = msgspec.convert(document.table, _File)
    except msgspec.ValidationError as error:
        raise UsageError(f"{error}", where=f"{FILE} of {where}") from error
    table, uv = file.project or _Table(), file.tool.get("uv", {})
    name = normal(table.name)
    known = file.project is not None and not {"dependencies", "optional-dependencies"} & {
        *table.dynamic
    }
    extras = {normal(key): tuple(lines) for key, lines in table.optional_dependencies.items()}
    return Project(
        name=name,
        packaged=file.project is not None,
        dependencies=tuple(table.dependencies) if known and "sources" not in uv else None,
        extras={key: _expanded(lines, name, extras) for key, lines in extras.items()},
        groups=_groups(file.dependency_groups, where=f"{FILE} of {where}"),
        build=tuple(file.build_system.requires) if file.build_system else _USUAL,
        settings=msgspec.json.encode(uv, order="sorted", enc_hook=str).decode(),
        sources="sources" in uv,
        workspace="workspace" in uv,
    )


def _expanded(
    lines: Iterable[str], name: str, extras: Mapping[str, tuple[str, ...]], depth: int = 9
) -> tuple[str, ...]:
    """Return an extra's lines, `name[other]` as those of `other`: the index has other versions."""
    found: list[str] = []
    for line in lines:
        own = _WITH_EXTRAS.match(line)
        if not own or normal(own[1]) != name or not depth:
            found.append(line)
            continue
        for extra in own[2].split(","):
            inner = extras.get(normal(extra.strip()), ())
            found.extend(_expanded(inner, name, extras, depth - 1))
    return tuple(dict.fromkeys(found))


def _groups(
    tables: Mapping[str, list[str | dict[str, str]]], *, where: str
) -> dict[str, tuple[str, ...]]:
    """Return the dependency groups, those that they include filled in.

    Raises:
        UsageError: one includes itself, or one that isn't there.

    Source:
        PEP 735.
    """
    by_name = {normal(name): entries for name, entries in tables.items()}

    def lines(name: str, above: tuple[str, ...]) -> tuple[str, ...]:
        if name in above or name not in by_name:
            problem = "includes itself" if name in above else "is included, and isn't there"
            raise UsageError(f"the group {name} {problem}", where=where)
        found: list[str] = []
        for entry in by_name[name]:
            if isinstance(entry, str):
                found.append(entry)
            else:
                found.extend(lines(normal(entry.get("include-group", "")), (*above, name)))
        return tuple(dict.fromkeys(found))

    return {name: lines(name, ()) for name in by_name}
