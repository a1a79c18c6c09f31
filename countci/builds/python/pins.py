"""Exact versions, as the lines of a requirements file; and how two sets of them differ. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from countci.builds.python.project import normal
from countci.model import Reason

_EXACT = re.compile(r"([A-Za-z0-9._-]+)\s*===?\s*([^\s;]+)")
_DIRECT = re.compile(r"([A-Za-z0-9._-]+)\s*@\s*(\S+)")
_EDITABLE = re.compile(r"(?:-e|--editable)[\s=]+")
_NOT_THERE = "not there"


class Pins(msgspec.Struct, frozen=True, kw_only=True):
    """What one side's environment is made of. Made by `resolve`."""

    options: tuple[str, ...] = ()
    """Of the requirements files."""
    runtime: tuple[str, ...] = ()
    """What is installed beside the project, one line a package."""
    build: tuple[str, ...] = ()
    """What builds the project."""
    unheld: str = ""
    """The project's lock file, when what it asks for can't be had at the versions in there."""


def placed(lines: Iterable[str], *, folder: Path, stage: Path, project: str) -> tuple[str, ...]:
    """Return an installer's lines without the project itself, folders as those of the stage.

    Args:
        lines: what it made of a copy of the tree.
        folder: where the copy was.
        stage: where it will be.
        project: normal name; empty when it isn't known.
    """
    found = []
    for line in lines:
        plain = _EDITABLE.sub("", line.strip(), count=1)
        path = _path(plain, folder)
        if path == folder or (project and _name(plain) == project):
            continue
        if path is not None and path.is_relative_to(folder):
            plain = str(stage / path.relative_to(folder))
        found.append(plain)
    return tuple(sorted(found, key=str.lower))


def constraints(lines: Iterable[str], *, beside: Iterable[str] = ()) -> tuple[str, ...]:
    """Return those lines that can hold another side to the same versions.

    Args:
        lines: pins of that side.
        beside: what this side's own lock file says, which wins.
    """
    own = {_name(line) for line in beside}
    return tuple(line for line in lines if _EXACT.match(line) and _name(line) not in own)


def differences(base: Pins, head: Pins) -> tuple[Reason, ...]:
    """Return what a reader has to know: every package whose version isn't the same."""
    runtime = _changes(base.runtime, head.runtime)
    build = _changes(base.build, head.build)
    found = []
    if runtime:
        found.append(f"dependencies differ, which is part of the change: {runtime}")
    if build:
        found.append(f"build requirements differ, which is part of the change: {build}")
    return tuple(Reason(code="dependencies-differ", text=text) for text in found)


def _changes(base: Iterable[str], head: Iterable[str]) -> str:
    before, after = _versions(base), _versions(head)
    return ", ".join(
        f"{name} {before.get(name, _NOT_THERE)} \N{RIGHTWARDS ARROW} {after.get(name, _NOT_THERE)}"
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )


def _versions(lines: Iterable[str]) -> dict[str, str]:
    found = {}
    for line in lines:
        pin = _EXACT.match(line) or _DIRECT.match(line)
        found[normal(pin[1]) if pin else line] = pin[2] if pin else "there"
    return found


def _name(line: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", line)
    return normal(found[0]) if found else ""


def _path(line: str, folder: Path) -> Path | None:
    """Return the folder or file that a line names, normal; None for a package of an index."""
    target = line.partition(" @ ")[2] or line
    target = re.sub(r"\[[^\]]*\]\s*$", "", target.partition(" ;")[0].strip())
    if target.startswith("file:"):
        target = unquote(urlsplit(target).path)
    if not target.startswith((".", "/")):
        return None
    return Path(posixpath.normpath(folder / target))
