"""The numbers that a query asks for, out of a program's whole output."""

from __future__ import annotations

import re
from collections.abc import Sequence

import countci.readers.documents as documents
from countci.errors import MeasureError
from countci.readers.patterns import SHOWN, lines, missing, number
from countci.readers.reader import Reader, usable


def chosen(reader: Reader, text: str, names: Sequence[str]) -> dict[str, float]:
    """Return the value of each metric of `names`, as `reader` finds it in `text`.

    Raises:
        MeasureError: one is missing, can't be judged, or stands beside an error count.
    """
    found = reader.read(text)
    values = {}
    for name in names:
        if name not in found:
            there = ", ".join(list(found)[:20])
            raise MeasureError(
                f"there is no {name} in its output", detail=f"there are {there}" if there else ""
            )
        values[name] = usable(found[name], name)
    return values


def by_pattern(pattern: str, text: str, name: str) -> float:
    """Return the number that the one group of `pattern` matches.

    Raises:
        MeasureError: it matches nothing, or more than once, or no number that can be judged.
    """
    matches = list(re.finditer(pattern, text, re.MULTILINE))
    if not matches:
        raise missing(f"{name} (nothing matches {pattern!r})", lines(text))
    if len(matches) > 1:
        raise MeasureError(
            f"{pattern!r} matches {len(matches)} times, and {name} is one number",
            detail="\n".join(_line(each) for each in matches[:2]),
        )
    line = _line(matches[0])
    return usable(number(matches[0][1] or "", line), name)


def by_path(path: str, text: str, name: str) -> float:
    """Return the number at `path` (`results.0.mean`) of the JSON that `text` holds.

    Raises:
        MeasureError: there is none, or none that can be judged.
    """
    return usable(documents.number(documents.document(text), *path.split(".")), name)


def _line(found: re.Match[str]) -> str:
    start = found.string.rfind("\n", 0, found.start()) + 1
    end = found.string.find("\n", found.end())
    return found.string[start : None if end < 0 else end].strip()[:SHOWN]
