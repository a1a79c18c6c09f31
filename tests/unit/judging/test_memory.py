from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countci.judging import judge, memory, wanted_by
from countci.model import (
    MEMORY_LIMITS,
    MEMORY_METRICS,
    Change,
    Comparison,
    Limit,
    MemoryWork,
    Pair,
    Query,
    Ready,
    Run,
    Samples,
    Status,
    reading,
    slope,
)
from countci.reading.limits import parse_limit
from countci.units import Seconds
from tests.unit.judging.published import table

KIB = 1024
AT = (1, 10, 100)
SLOPE = "private_dirty_slope"
NONE = Limit(form="none")


def query(at: tuple[int, ...] = AT, **limits: str) -> Query:
    work = MemoryWork(
        start="./host {at}",
        at=at,
        ready=Ready(line="ready"),
        within=Seconds(10.0),
        grace=Seconds(10.0),
    )
    asked = {name: parse_limit(text, where="here") for name, text in limits.items()}
    return Query(
        suite="host",
        name="apps",
        file="queries/host.toml",
        work=work,
        metrics=(SLOPE, "threads"),
        limits={name: asked.get(name, limit) for name, limit in MEMORY_LIMITS.items()},
        own={name: MEMORY_METRICS[name] for name in (SLOPE, "threads")},
    )


def run(private: dict[int, int], threads: dict[int, int] | None = None) -> Run:
    """Return a run that read so many KiB, and threads, after so many steps."""
    values = {reading("private_dirty", at): float(kib * KIB) for at, kib in private.items()}
    values |= {reading("threads", at): float((threads or {}).get(at, 3)) for at in private}
    return Run(wall=1.0, user=0.0, system=0.0, wait=None, values=values)


def straight(per_step: float, more: int = 0, *, threads: int = 0) -> Run:
    return run(
        {at: round(1328 + more + per_step * (at - 1)) for at in AT},
        {at: 3 + threads * at for at in AT},
    )


def samples(base: list[Run], head: list[Run]) -> Samples:
    pairs = zip(base, head, strict=True)
    return Samples(n=1, pairs=tuple(Pair(base=a, head=b, head_first=False) for a, b in pairs))


def judged(base: Run, head: Run, name: str = SLOPE, limit: str = "5%") -> Change:
    both = samples([base] * 3, [head] * 3)
    return memory.judge(both, parse_limit(limit, where="here"), MEMORY_METRICS[name], query())


def published() -> Run:
    """Return the host with 1, 10 and 100 apps."""
    host = [row for row in table("memory") if row["arrangement"] == "host"]
    return run(
        {int(row["apps"]): int(row["private_dirty_kib"]) for row in host},
        {int(row["apps"]): int(row["threads"]) for row in host},
    )


def test_the_published_slope_is_120_kib_an_app_below_its_limit_and_threads_are_constant() -> None:
    change = judged(published(), published(), limit="216 KiB")

    assert change.head == pytest.approx(120.24 * KIB, rel=0.0001)
    assert change.status is Status.PASS
    assert judged(published(), published(), limit="120 KiB").status is Status.FAIL
    assert judged(published(), published(), "threads", "constant").status is Status.PASS
    assert change.reasons[1].text.replace("\N{NO-BREAK SPACE}", " ") == (
        "private dirty after 1, 10, 100 steps on head: 1.3 MiB, 2.33 MiB, 12.9 MiB"
    )


@settings(deadline=None)  # a busy machine is no failure
@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=5, unique=True), st.integers(0, 10**6))
def test_a_slope_goes_by_the_two_ends_and_is_exact(at: list[int], per_step: int) -> None:
    read = {step: float(step % 7) for step in at}
    read[min(at)], read[max(at)] = 0.0, float(per_step * (max(at) - min(at)))

    if per_step * (max(at) - min(at)) < 2**53:
        assert slope(read) == per_step


def test_threads_that_come_with_the_steps_are_not_constant() -> None:
    steady, growing = straight(120), straight(120, threads=1)

    assert judged(growing, growing, "threads", "constant").status is Status.FAIL
    assert judged(growing, steady, "threads", "constant").status is Status.PASS
    assert judged(steady, growing, "threads", "none").status is Status.PASS


@pytest.mark.parametrize(
    ("base", "head", "status"),
    [
        (0, 0, Status.PASS),
        (0, 100, Status.FAIL),
        (120, 125, Status.PASS),
        (120, 127, Status.FAIL),
        (120, 100, Status.PASS),
    ],
)
def test_a_leak_of_a_step_fails_and_a_limit_is_a_share_of_base(
    base: int, head: int, status: Status
) -> None:
    assert judged(straight(base), straight(head)).status is status


def test_two_pages_are_no_change_even_of_nothing() -> None:
    change = judged(straight(0), run({1: 1328, 10: 1330, 100: 1336}))

    assert (change.status, change.delta) == (Status.PASS, 0)
    assert judged(straight(0), run({1: 1328, 10: 1328, 100: 1337})).status is Status.FAIL
    assert judged(straight(0), straight(0, more=8), "private_dirty").delta == 0
    assert judged(straight(0), straight(0, more=8), SLOPE, "constant").status is Status.PASS


def test_runs_that_disagree_about_the_limit_are_unsettled() -> None:
    both = samples([straight(120)] * 3, [straight(120), straight(140), straight(140)])
    change = memory.judge(both, Limit(share=0.05), MEMORY_METRICS[SLOPE], query())

    assert change.status is Status.UNSETTLED
    assert change.noise == pytest.approx(20 / 120)


def test_a_line_that_bends_between_its_ends_is_told() -> None:
    change = judged(straight(120), run({1: 1328, 10: 9000, 100: 13232}))

    assert "don't lie on the line" in change.reasons[1].text
    assert "line" not in change.reasons[0].text


def test_three_pairs_are_wanted_and_every_metric_is_judged_by_them() -> None:
    asked = query(private_dirty_slope="216 KiB", threads="constant")
    some = samples([published()] * 2, [published()] * 2)
    wanted = wanted_by(some, asked)
    assert wanted is not None
    assert (wanted.block, wanted.more) == ("pairs", 1)

    whole = samples([published()] * 3, [published()] * 3)
    assert wanted_by(whole, asked) is None
    verdict = judge(Comparison(query=asked, samples=whole))
    assert [(change.metric, change.status.value) for change in verdict.changes] == [
        (SLOPE, "pass"),
        ("threads", "pass"),
    ]


def test_a_run_without_a_reading_is_an_error() -> None:
    assert judged(published(), run({1: 1328, 10: 2384})).status is Status.ERROR
