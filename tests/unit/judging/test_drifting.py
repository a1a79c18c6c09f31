from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from countci.judging import accept, add_drift, judge
from countci.model import (
    Acceptance,
    Comparison,
    Identity,
    Kind,
    Limit,
    Problem,
    Status,
    Verdict,
)
from tests.unit.judging.baseline import baseline, now
from tests.unit.judging.measured import straight

THEN = straight(1_000_000)
LIMIT = Limit(share=0.05)


def exact(comparison: Comparison) -> Comparison:
    """Return the comparison without time, which most of these have no pairs for."""
    return replace(comparison, query=replace(comparison.query, metrics=("instructions",)))


def drifted(comparison: Comparison, limit: Limit | None = LIMIT) -> Verdict:
    comparison = exact(comparison)
    [found] = add_drift((judge(comparison),), (comparison,), baseline(THEN), limit)
    return found


def step(base: int, head: int) -> Comparison:
    """Return a comparison of two counts per ask."""
    return now(straight(head), base=straight(base))


def test_ten_commits_of_nine_tenths_of_a_percent_do_not_pass() -> None:
    steps = [round(1_000_000 * 1.009**step) for step in range(11)]

    found = [drifted(step(before, after)) for before, after in itertools.pairwise(steps)]

    assert all(each.changes[0].status is Status.PASS for each in found)
    assert [each.status.value for each in found] == ["pass"] * 5 + ["fail"] * 5
    drift = found[-1].changes[1]
    assert drift.metric == "drift"
    assert drift.delta == pytest.approx(0.0937, abs=1e-4)
    assert drift.limit == LIMIT
    assert "countci baseline record makes it the new mark" in drift.reasons[0].text


def test_drift_exactly_at_its_limit_passes_and_is_shown() -> None:
    found = drifted(step(1_045_000, 1_050_000))

    assert found.status is Status.PASS
    assert (found.changes[1].base, found.changes[1].head) == (1e6, 1.05e6)
    assert found.changes[1].reasons == ()


def test_a_revision_that_adds_nothing_is_not_failed_for_what_came_before() -> None:
    better = drifted(step(1_090_000, 1_080_000))
    same = drifted(now(None, base=straight(1_090_000), identity=Identity(differs=("README.md",))))

    assert better.status is same.status is Status.PASS
    assert [change.metric for change in same.changes] == ["instructions"]
    assert better.reasons[-1].text == (
        "instructions +8.00\N{NO-BREAK SPACE}% since commit 0b5fa1d00b was recorded, beyond "
        "5\N{NO-BREAK SPACE}%, none of it by this change"
    )


def test_without_a_limit_the_drift_is_told_and_fails_nothing() -> None:
    found = drifted(step(1_195_000, 1_200_000), None)

    assert found.status is Status.PASS
    assert len(found.changes) == 1
    assert found.reasons[-1].text == (
        "instructions +20.00\N{NO-BREAK SPACE}% since commit 0b5fa1d00b was recorded"
    )
    assert drifted(now(THEN, base=THEN), None).reasons == ()


def test_the_drift_of_a_query_that_changed_since_is_not_known() -> None:
    found = drifted(now(straight(2_000_001), base=straight(2_000_000), digest="d2"))

    assert found.status is Status.PASS
    assert found.reasons[-1].code == "drift-unknown"


def test_the_drift_from_a_count_of_another_allocator_is_not_known() -> None:
    head = straight(2_000_000, machine="f1 pymalloc")

    found = drifted(now(head, base=head))

    assert found.status is Status.PASS
    assert found.reasons[-1].code == "drift-unknown"
    assert "allocator" in found.reasons[-1].text


def test_an_error_stays_one() -> None:
    broken = drifted(now(None, base=THEN, problem=Problem(problem="exit status 3")))

    assert broken.status is Status.ERROR
    assert broken.changes == ()


def test_new_queries_and_those_that_are_not_recorded_have_no_drift() -> None:
    new = exact(now(straight(5), kind=Kind.NEW))
    unknown = replace(baseline(THEN), queries={})
    comparison = exact(now(straight(5), base=straight(5)))

    assert add_drift((judge(new),), (new,), baseline(THEN), LIMIT) == (judge(new),)
    verdicts = (judge(comparison),)
    assert add_drift(verdicts, (comparison,), unknown, LIMIT) == verdicts


def test_what_a_trailer_accepts_is_not_the_drift() -> None:
    found = drifted(step(1_040_000, 1_060_000))
    acceptance = Acceptance(
        commit="a" * 40, query="bank/field", metric="instructions", share=0.02, reason="x", line=""
    )

    [accepted] = accept((found,), (acceptance,), (exact(now(THEN)).query,))

    assert [change.status for change in accepted.changes] == [Status.PASS, Status.FAIL]
    assert accepted.status is Status.FAIL
