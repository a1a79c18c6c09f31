from __future__ import annotations

from collections.abc import Mapping, Sequence

from countci.judging import judge, wanted_by
from countci.model import (
    CommandWork,
    Comparison,
    Limit,
    Metric,
    OutputWork,
    Pair,
    Query,
    Run,
    Samples,
    Status,
    Wanted,
)

RATE = Metric(name="rate", unit="requests/s", exact=False, better="higher")
P99 = Metric(name="p99", unit="ms", exact=False)
QUERY = Query(
    suite="load",
    name="a",
    file="queries/load.toml",
    work=OutputWork(command="load"),
    metrics=("rate", "p99"),
    limits={"rate": Limit(share=0.03), "p99": Limit(share=0.5, form="ratio")},
    own={"rate": RATE, "p99": P99},
)


def run(values: Mapping[str, float]) -> Run:
    return Run(wall=1.0, user=1.0, system=0.0, wait=0.0, values=dict(values))


def pairs(deltas: Sequence[float], *, p99: float = 2.0) -> tuple[Pair, ...]:
    base = run({"rate": 100.0, "p99": 2.0})
    return tuple(
        Pair(base=base, head=run({"rate": 100 * (1 + delta), "p99": p99}), head_first=False)
        for delta in deltas
    )


def collected(head: float, *, p99: float = 2.0) -> Samples:
    """Return samples to which pairs were added as long as some were wanted."""
    samples = Samples(n=1, pairs=())
    while (missing := wanted_by(samples, QUERY)) is not None:
        blocks = {name: getattr(samples, name) for name in ("pairs", "confirming", "control")}
        equal = missing.block == "control"
        more = pairs([0.0 if equal else head] * missing.more, p99=2.0 if equal else p99)
        blocks[missing.block] += more
        samples = Samples(n=1, **blocks)
    return samples


def test_the_first_look_is_that_of_the_metric_that_needs_more_pairs() -> None:
    assert wanted_by(Samples(n=1, pairs=()), QUERY) == Wanted(block="pairs", more=10)


def test_metrics_that_all_pass_at_once_share_ten_pairs() -> None:
    assert [len(collected(0.0).pairs), len(collected(0.0).confirming)] == [10, 0]


def test_a_metric_that_fails_is_confirmed_for_all() -> None:
    samples = collected(-0.2)

    assert len(samples.pairs) == len(samples.confirming) == 10
    assert len(samples.control) == 10


def test_pairs_come_before_what_confirms_them() -> None:
    undecided = [0.06, -0.2, 0.05, -0.01, 0.02, -0.03, 0.0, -0.01, 0.02, -0.06]
    failing = Query(
        suite="load",
        name="a",
        file="",
        work=OutputWork(command="load"),
        metrics=("p99", "rate"),
        limits={"rate": Limit(share=0.03), "p99": Limit(share=0.03)},
        own=QUERY.own,
    )

    found = wanted_by(Samples(n=1, pairs=pairs(undecided, p99=3.0)), failing)

    assert found == Wanted(block="pairs", more=10)


def test_each_metric_is_judged_by_its_own_limit_and_direction() -> None:
    slower = judge(Comparison(query=QUERY, samples=collected(-0.05, p99=2.9)))
    assert [change.status for change in slower.changes] == [Status.FAIL, Status.PASS]

    faster = judge(Comparison(query=QUERY, samples=collected(0.5, p99=3.1)))
    assert [change.status for change in faster.changes] == [Status.PASS, Status.FAIL]
    assert [change.measured for change in faster.changes] == [RATE, P99]


def test_what_is_counted_wants_no_pairs() -> None:
    query = Query(
        suite="a", name="a", file="", work=CommandWork(command="a"), metrics=("instructions",)
    )

    assert wanted_by(Samples(n=1, pairs=()), query) is None


def test_a_number_that_is_missing_wants_no_more_pairs_of_them() -> None:
    samples = Samples(n=1, pairs=(Pair(base=run({}), head=run({}), head_first=False),))

    assert wanted_by(samples, QUERY) is None
