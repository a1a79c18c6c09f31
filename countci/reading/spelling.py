"""What somebody who mistyped a name meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SHOWN = 12


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean "…"?` for the known name next to `name`, or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def listed(names: Iterable[str]) -> str:
    """Return the names in one line, the first few of many."""
    every = list(names)
    more = len(every) - _SHOWN
    return ", ".join(every[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
