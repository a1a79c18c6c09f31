"""Foreign text made harmless: names and messages hold whatever a repository puts into them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

_COLOURS = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def one_line(text: str) -> str:
    """Return `text` as one line: control, direction and line characters are blanks."""
    return "".join(map(_visible, _COLOURS.sub("", text)))


def lines(text: str) -> list[str]:
    """Return the lines of a program's output, each harmless, blank ones at both ends dropped."""
    ends = text.expandtabs().replace("\r\n", "\n").strip("\n").split("\n")
    return [one_line(line).rstrip() for line in ends] if text.strip() else []


def inside(path: str) -> str:
    """Return `path` where it names something below the top of a repository, else nothing."""
    parts = PurePosixPath(path)
    return "" if parts.is_absolute() or ".." in parts.parts or one_line(path) != path else path


def _visible(character: str) -> str:
    # Cf holds the characters that turn the direction of writing, so that text can be
    # made to read as another one; Cs what no encoding can write.
    return " " if unicodedata.category(character) in _INVISIBLE else character
