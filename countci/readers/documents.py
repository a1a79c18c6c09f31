"""JSON that a program printed, and the numbers in it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from countci.errors import MeasureError
from countci.readers.patterns import lines, missing
from countci.readers.reader import Number


def document(text: str) -> object:
    """Return the JSON that `text` is, or that starts in one of its lines and ends it.

    Raises:
        MeasureError: there is none, or it is cut off.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    rows = text.splitlines()
    # Programs greet and warn before they come to the point; nothing may follow it.
    start = next((row for row, line in enumerate(rows) if line.startswith("{")), None)
    if start is not None:
        try:
            return json.loads("\n".join(rows[start:]))
        except (ValueError, RecursionError) as error:
            detail = f"{error}; is it cut off?"
            raise MeasureError("its output is not JSON to its end", detail=detail) from error
    raise missing("JSON", lines(text))


def at(node: object, *path: str | int) -> object:
    """Return what stands at `path`.

    Raises:
        MeasureError: nothing does.
    """
    for depth, key in enumerate(path):
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and str(key).isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            raise MeasureError(
                f"there is no {spelled(path)} in its output", detail=_there(node, path[:depth])
            )
    return node


def optional(node: object, key: str) -> object:
    """Return what the table `node` has under `key`; None when it has nothing."""
    return node.get(key) if isinstance(node, dict) else None


def items(node: object, *path: str | int) -> Sequence[object]:
    """Return the list at `path`.

    Raises:
        MeasureError: there is none, or it is empty.
    """
    found = at(node, *path)
    if not isinstance(found, list) or not found:
        raise MeasureError(f"{spelled(path)} in its output is no list of anything")
    return found


def number(node: object, *path: str | int) -> Number:
    """Return the number at `path`.

    Raises:
        MeasureError: there is none.
    """
    found = at(node, *path)
    line = f"{spelled(path)}: {json.dumps(found)[:100]}"
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise MeasureError(f"{spelled(path)} is no number", detail=f"it says: {line}")
    return Number(float(found), line)


def text(node: object, *path: str | int) -> str:
    """Return the text at `path`.

    Raises:
        MeasureError: there is none.
    """
    found = at(node, *path)
    if not isinstance(found, str):
        raise MeasureError(f"{spelled(path)} in its output is no text")
    return found


def spelled(path: Sequence[str | int]) -> str:
    """Return the path as a query file writes it."""
    return ".".join(map(str, path))


def _there(node: object, path: Sequence[str | int]) -> str:
    names = list(node) if isinstance(node, dict) else []
    place = f"{spelled(path)} has" if path else "there are"
    return f"{place} {', '.join(names[:20])}" if names else ""
