"""`{n}`, `{work}`, `{queries}`, `{build}` in what people write; `{{` and `}}` are braces."""

from __future__ import annotations

import re
from collections.abc import Mapping

from countci.errors import UsageError
from countci.reading.spelling import did_you_mean

NAMES = ("n", "work", "queries", "build")
_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def fill(template: str, values: Mapping[str, str], where: str) -> str:
    """Return `template` with each placeholder replaced by its value.

    Raises:
        UsageError: a placeholder that has no value here, or a brace alone.
    """

    def value(found: re.Match[str]) -> str:
        if found[0] in {"{{", "}}"}:
            return found[0][0]
        name = found[1]
        if name is None or not re.fullmatch(r"\w+", name):
            raise UsageError(
                f"{found[0]} in {template!r} is not a placeholder",
                where=where,
                detail="write {{ and }} for braces that stand for themselves",
            )
        if name not in values:
            there = ", ".join(f"{{{known}}}" for known in values)
            raise UsageError(
                f"no placeholder {{{name}}} here{did_you_mean(name, values)}",
                where=where,
                detail=f"there are {there}; {{{{ and }}}} are braces",
            )
        return values[name]

    return _PART.sub(value, template)
