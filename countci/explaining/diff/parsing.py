"""The text of `git diff -U0` as data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_NOTHING = "/dev/null"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One hunk: lines of the old file that became lines of the new one."""

    id: int
    """Place in the diff, from 0."""
    old: str
    """Path; of a new file, the new path."""
    new: str
    """Path; of a deleted file, the old path."""
    old_first: int
    """From 1; where nothing is removed, the line before."""
    new_first: int
    """From 1; where nothing is added, the line before."""
    minus: tuple[str, ...]
    plus: tuple[str, ...]

    @property
    def old_last(self) -> int:
        """The last removed line; where nothing is removed, the line before."""
        return self.old_first + max(0, len(self.minus) - 1)

    @property
    def new_last(self) -> int:
        """The last added line; where nothing is added, the line before."""
        return self.new_first + max(0, len(self.plus) - 1)

    @property
    def lines(self) -> tuple[str, ...]:
        """Both sides, as written."""
        return self.minus + self.plus


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """Everything that changed between two trees."""

    edits: tuple[Edit, ...]
    renames: Mapping[str, str]
    """New path by old path, with or without edits."""

    @property
    def files(self) -> frozenset[str]:
        """The paths, old and new, of what was edited."""
        return frozenset(path for edit in self.edits for path in (edit.old, edit.new))


@dataclass(slots=True)
class _File:
    """What is known of a file while its part is read."""

    old: str | None = None
    new: str | None = None
    edits: list[Edit] = field(default_factory=list)
    renamed: tuple[str, str] | None = None


def parse(text: str) -> Diff:
    """Return what a diff without context says; what is binary, or only another mode, is left out.

    Args:
        text: of `git diff -U0 -M`, without colours. Lines inside a hunk are counted, not
            looked at: a removed `-- x` reads `--- x` there.
    """
    edits: list[Edit] = []
    renames: dict[str, str] = {}
    lines = iter(text.split("\n"))
    file = _File()
    for line in lines:
        if line.startswith("diff --git "):
            file = _File()
        elif line.startswith("rename from "):
            file.old = _path(line.removeprefix("rename from "), prefixed=False)
        elif line.startswith("rename to "):
            file.new = _path(line.removeprefix("rename to "), prefixed=False)
            if file.old and file.new:
                renames[file.old] = file.new
        elif line.startswith("--- "):
            file.old = _path(line[4:])
        elif line.startswith("+++ "):
            file.new = _path(line[4:])
        elif found := _HUNK.match(line):
            edits.append(_edit(len(edits), file, found, lines))
    return Diff(edits=tuple(edits), renames=renames)


def _edit(number: int, file: _File, found: re.Match[str], lines: Iterator[str]) -> Edit:
    old_first, old_count, new_first, new_count = (
        1 if part is None else int(part) for part in found.groups()
    )
    minus: list[str] = []
    plus: list[str] = []
    while len(minus) < old_count or len(plus) < new_count:
        line = next(lines, None)
        if line is None:
            break
        if line.startswith("-"):
            minus.append(line[1:])
        elif line.startswith("+"):
            plus.append(line[1:])
    return Edit(
        id=number,
        old=file.old or file.new or "",
        new=file.new or file.old or "",
        old_first=old_first,
        new_first=new_first,
        minus=tuple(minus),
        plus=tuple(plus),
    )


def _path(text: str, *, prefixed: bool = True) -> str | None:
    """Return the path that git writes as `a/x`, quoted with escapes, or with a tab behind it."""
    text = text.rstrip("\r").removesuffix("\t")
    if text.startswith('"') and text.endswith('"'):
        text = _unquoted(text[1:-1])
    if text == _NOTHING:
        return None
    return text[2:] if prefixed and text[1:2] == "/" else text


def _unquoted(text: str) -> str:
    octets = bytearray()
    end = 0
    for found in _ESCAPE.finditer(text):
        octets += text[end : found.start()].encode()
        code = found[1]
        octets += bytes([int(code, 8)]) if len(code) == 3 else _LETTERS.get(code, code).encode()
        end = found.end()
    octets += text[end:].encode()
    return octets.decode(errors="replace")
