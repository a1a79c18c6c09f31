"""Which queries are meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from countci.errors import UsageError
from countci.inside import chosen
from countci.model import Query, Suites
from countci.reading.spelling import listed


def select(suites: Suites, patterns: Sequence[str]) -> tuple[Query, ...]:
    """Return the queries that one of `patterns` matches, in the order of the suites.

    A pattern is held against a query's id, its suite and the suite's folders: `bank/field`,
    `bank`, `bank/f*`; `bank/load` is all of its sweep. No pattern at all is every query. A
    pytest suite is among them if one of its tests, which aren't known yet, may be meant.

    Raises:
        UsageError: a pattern matches nothing; a check that never ran must not look green.
    """
    for pattern in patterns:
        if not any(_meant(query, pattern) for query in suites.queries):
            raise UsageError(
                "no query matches", where=f"--query {pattern}", detail=_near(pattern, suites)
            )
    if not patterns:
        return suites.queries
    return tuple(
        query for query in suites.queries if any(_meant(query, pattern) for pattern in patterns)
    )


def matches(query: Query, pattern: str) -> bool:
    """Return whether `pattern` means all of `query`."""
    return any(chosen.matches(name, pattern.rstrip("/")) for name in _names(query))


def _meant(query: Query, pattern: str) -> bool:
    return matches(query, pattern) or (query.collects and _may_have(query, pattern))


def _may_have(query: Query, pattern: str) -> bool:
    """Whether a test of the suite could have an id that `pattern` matches."""
    below = f"{query.id}/"
    fixed = re.split(r"[*?[]", pattern, maxsplit=1)[0]
    return fixed.startswith(below) or (fixed != pattern and below.startswith(fixed))


def _names(query: Query) -> list[str]:
    """Return the id, and each folder of it: `a/b/c`, `a/b`, `a`. Of a sweep also its own."""
    parts = query.id.split("/")
    found = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return [*found, query.sweep_id] if query.sweep else found


def _near(pattern: str, suites: Suites) -> str:
    names = dict.fromkeys(name for query in suites.queries for name in _names(query))
    near = difflib.get_close_matches(pattern, names, n=3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {listed(query.id for query in suites.queries)}"
