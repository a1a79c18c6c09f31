"""Where in a TOML file its keys stand: tomllib tells the lines of syntax errors only."""

from __future__ import annotations

import re
import tomllib
from typing import Any

BARE = r"[A-Za-z0-9_-]+"
"""A key that needs no quotes."""
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")


def line_numbers(text: str) -> dict[tuple[str, ...], int]:
    """Return the first line of each key and of each table around it.

    A search, not a parser: it serves messages. Keys inside of an inline table have no
    line, and a string of several lines that looks like TOML is taken for it.
    """
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        header = _HEADER.fullmatch(line)
        if header:
            table = keys = _keys(header[1])
        else:
            own = _keys(line.partition("=")[0]) if "=" in line else ()
            keys = (*table, *own) if own else ()
        for length in range(1, len(keys) + 1):
            lines.setdefault(keys[:length], number)
    return lines


def _keys(text: str) -> tuple[str, ...]:
    """Return the parts of a dotted key, quoted or not; nothing when it isn't one."""
    if re.fullmatch(rf"\s*{BARE}(\s*\.\s*{BARE})*\s*", text):
        return tuple(part.strip() for part in text.split("."))
    try:
        table: Any = tomllib.loads(f"{text} = 0")
    except (ValueError, RecursionError):
        return ()
    parts = []
    while isinstance(table, dict) and len(table) == 1:
        [(name, table)] = table.items()
        parts.append(name)
    return tuple(parts)
