"""Which tests of a suite are asked for."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple


class Chosen(NamedTuple):
    """Tests, by patterns of their ids below a query; no pattern is every test."""

    query: str
    """Id of the query that is the suite."""
    patterns: tuple[str, ...]

    def has(self, test: str) -> bool:
        """Return whether a test is one of them."""
        if not self.patterns:
            return True
        parts = f"{self.query}/{test}".split("/")
        names = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
        return any(matches(name, pattern) for name in names for pattern in self.patterns)


def matches(name: str, pattern: str) -> bool:
    """Return whether a pattern means a name. `test[1]` means itself, not only `test1`."""
    return name == pattern or fnmatchcase(name, pattern)
