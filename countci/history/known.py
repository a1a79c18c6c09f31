"""What the store has of a whole range, read at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from countci.model import INSTRUCTIONS, Measurement, Query
from countci.storing import Store


@dataclass(frozen=True, slots=True)
class Known:
    """Counts that were taken before, of some queries on many builds."""

    found: Mapping[tuple[str, str], tuple[Measurement, ...]]
    """By build and digest of the query, latest use first."""
    fingerprints: Mapping[str, str]
    """What is valid now, by id of the query."""

    def count(self, build: str, query: Query, points: tuple[int, ...]) -> Measurement | None:
        """Return the count of `query` on a build at these points."""
        for each in self._of(build, query):
            if points_of(each) == points:
                return replace(each, query=query.id)
        return None

    def pattern(self, builds: Collection[str], query: Query) -> Measurement | None:
        """Return one that was counted as most of them were: new counts are taken in its way.

        Args:
            builds: keys in the order of their commits; the last one wins a tie.
            query: which.
        """
        counted = [each for build in builds for each in self._of(build, query)[:1]]
        ways = Counter((points_of(each), each.counter) for each in counted)
        if not ways:
            return None
        return max(reversed(counted), key=lambda each: ways[points_of(each), each.counter])

    def _of(self, build: str, query: Query) -> tuple[Measurement, ...]:
        now = self.fingerprints[query.id]
        return tuple(
            each for each in self.found.get((build, query.digest), ()) if each.fingerprint == now
        )


def read(
    store: Store,
    builds: Collection[str],
    queries: Collection[Query],
    fingerprints: Mapping[str, str],
) -> Known:
    """Return what `store` has of `queries` on `builds`."""
    found = store.known_of(dict.fromkeys(builds), {query.digest for query in queries})
    return Known(found, fingerprints)


def points_of(measurement: Measurement) -> tuple[int, ...]:
    """Return the n of each of its points."""
    return tuple(point.n for point in measurement.counts[INSTRUCTIONS.name].points)
