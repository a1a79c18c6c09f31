"""One pytest suite on one build: its tests are queries, known once it is collected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec.structs import replace as with_fields

import countci.measuring.asking as asking
import countci.measuring.counted as counted
from countci import counting, queries
from countci.counting import Outcome
from countci.measuring.bench import Bench
from countci.model import Build, Query


def count(
    bench: Bench,
    build: Build,
    suite: Query,
    other: Mapping[str, Outcome],
    points: Mapping[str, tuple[int, ...]] | None = None,
) -> dict[str, Outcome]:
    """Return what became of each test of `suite` on `build`, and of itself; known counts first.

    Args:
        bench: where.
        build: the side.
        suite: the suite.
        other: the other side's outcomes. A test that was counted there is counted at the same
            points here.
        points: the n of each point of some tests, by id; of all others they are chosen.
    """
    suite = queries.varied(suite, build.variant)
    points = {**(points or {}), **counted.points_of_all(other)}
    points.pop(suite.id, None)
    if known := _known(bench, build, suite, points):
        return known
    setups, failed = asking.set_up(bench, build, [suite])
    if failed:
        return {suite.id: Outcome(problem=failed[suite.id])}
    by_test = {name.removeprefix(f"{suite.id}/"): each for name, each in points.items()}
    request = asking.request(bench, build, suite, None)
    assert isinstance(request, counting.Suite)
    asked = replace(request, trace=True, points=by_test)
    found = counting.count_all([asked], jobs=1, progress=bench.progress)
    found = {
        name: counted.with_setup(each, setups.get(suite.suite)) for name, each in found.items()
    }
    keep(bench, suite, found)
    return found


def tests(suite: Query, outcomes: Mapping[str, Outcome]) -> list[Query]:
    """Return the queries that a suite's outcomes are of, without itself."""
    return [test_of(suite, name) for name in outcomes if name != suite.id]


def test_of(suite: Query, name: str) -> Query:
    """Return the query of that id."""
    return queries.test_of(suite, name.removeprefix(f"{suite.id}/"))


def _known(
    bench: Bench, build: Build, suite: Query, points: Mapping[str, tuple[int, ...]]
) -> dict[str, Outcome] | None:
    """Return the outcomes of a suite all of whose tests are known; None when one isn't."""
    fingerprint = asking.fingerprint(bench, suite)
    whole = bench.store.known(build.key, _digest(bench, suite), fingerprint)
    if whole is None:
        return None
    found = {suite.id: Outcome(measurement=whole)}
    for name, skipped in whole.tests.items():
        test = queries.test_of(suite, name)
        if skipped:
            found[test.id] = Outcome(skipped=skipped)
            continue
        known = bench.store.known(build.key, test.digest, fingerprint, points.get(test.id))
        if known is None:
            return None
        found[test.id] = Outcome(measurement=with_fields(known, query=test.id))
    return found


def keep(bench: Bench, suite: Query, found: Mapping[str, Outcome]) -> None:
    """Remember a suite nothing of which failed: what failed is tried again."""
    if any(each.problem for each in found.values()):
        return
    digests = {suite.id: _digest(bench, suite)}
    digests |= {test.id: test.digest for test in tests(suite, found)}
    kept = [(each.measurement, digests[name]) for name, each in found.items()]
    bench.store.keep(*((each, digest) for each, digest in kept if each))


def _digest(bench: Bench, suite: Query) -> str:
    """Return what a run of the suite is known by: some of its tests are another run."""
    return queries.digest_of(suite, "tests", *asking.patterns(bench, suite))
