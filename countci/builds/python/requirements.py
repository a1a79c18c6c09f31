"""Requirements files, flattened: what they include is read, the rest is left to the installer."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from countci.errors import UsageError

_INCLUDE = re.compile(r"(-r|-c|--requirement|--constraint)(?:\s*=?\s*)(\S+)")
_EDITABLE = re.compile(r"(?:-e|--editable)[\s=]+")
_LOCAL = re.compile(r"(?:\.|/|file:)|[^#;]*@\s*(?:\.|/|file:)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """What requirements files say. Made by `flatten`."""

    asked: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """`--extra-index-url ...` and the like: the installation needs them as well."""


def flatten(paths: Iterable[str], read: Callable[[str], bytes | None], *, where: str) -> Lines:
    """Return all lines of the files at `paths` and of those that they include.

    Args:
        paths: below the top of the project.
        read: gives a file's content by its path, None when there is none.
        where: the revision, for messages.

    Raises:
        UsageError: a file is missing, or not UTF-8.
    """
    found: dict[str, list[str]] = {"asked": [], "constraints": [], "options": []}
    seen: set[tuple[str, str]] = set()

    def take(path: str, kind: str) -> None:
        if (path, kind) in seen:
            return
        seen.add((path, kind))
        for line in _logical(_text(path, read, where)):
            include = _INCLUDE.fullmatch(line)
            if include and "://" not in include[2]:
                inner = posixpath.normpath(posixpath.join(posixpath.dirname(path), include[2]))
                take(inner, "constraints" if "c" in include[1] else kind)
            elif line.startswith("-") and not _EDITABLE.match(line) and not include:
                found["options"].append(line)
            else:
                found[kind].append(line)

    for path in paths:
        take(path, "asked")
    return Lines(**{kind: tuple(dict.fromkeys(lines)) for kind, lines in found.items()})


def is_local(line: str) -> bool:
    """Return whether a requirement names a folder or a file, and not a package of an index."""
    return bool(_LOCAL.match(_EDITABLE.sub("", line, count=1)))


def _text(path: str, read: Callable[[str], bytes | None], where: str) -> str:
    content = read(path)
    if content is None:
        raise UsageError(
            "no such requirements file",
            where=f"{path} of {where}",
            detail="correct [python], requirements, or what includes it",
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UsageError("not UTF-8", where=f"{path} of {where}", detail="save it so") from error


def _logical(text: str) -> Iterable[str]:
    """Yield the lines that say something; one that ends with a backslash goes on.

    Digests are left out: where one line has them, an installer wants them of every line.
    """
    for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
        plain = re.sub(r"(^|\s)#.*$|\s--hash[=\s]\S+", "", line).strip()
        if plain and plain != "--require-hashes":
            yield plain
