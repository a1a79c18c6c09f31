from __future__ import annotations

import pytest

from countci.judging import exact, judge, sampled, wanted_by, whole
from countci.model import (
    INSTRUCTIONS,
    PEAK_MEMORY,
    SYSCALLS,
    Limit,
    Pair,
    Run,
    Samples,
    Status,
    default_limit,
)
from countci.reading.limits import parse_limit
from countci.reporting.rows import is_improved
from tests.unit.judging.measured import compared, query, straight

MIB = 2**20
NONE = Limit(form="none")


def samples(base: float, head: float, count: int = 6) -> Samples:
    def run(peak: float) -> Run:
        return Run(wall=1.0, user=1.0, system=0.0, wait=0.0, peak_memory=round(peak * MIB))

    return Samples(n=64, pairs=(Pair(base=run(base), head=run(head), head_first=False),) * count)


def test_peak_memory_is_of_a_process_and_not_per_ask() -> None:
    change = sampled.judge(samples(8, 10), NONE, PEAK_MEMORY)

    assert (change.base, change.head, change.delta) == (8 * MIB, 10 * MIB, 0.25)


def test_without_a_limit_it_is_shown_whichever_way_it_moves() -> None:
    assert default_limit(PEAK_MEMORY) == NONE == parse_limit("none", where="here")
    assert NONE.text(PEAK_MEMORY) == "none"
    for head in (1, 8, 800):
        change = sampled.judge(samples(8, head), NONE, PEAK_MEMORY)

        assert change.status is Status.PASS
        assert not is_improved(change)


def test_it_takes_six_pairs_without_a_limit() -> None:
    asked = query(PEAK_MEMORY.name, limits={PEAK_MEMORY.name: NONE})
    wanted = wanted_by(samples(8, 8, 4), asked)

    assert wanted is not None
    assert (wanted.block, wanted.more) == ("pairs", 2)
    assert wanted_by(samples(8, 8), asked) is None


@pytest.mark.parametrize(
    ("limit", "head", "status"),
    [
        ("9 MiB", 9, Status.PASS),
        ("9 MiB", 9.1, Status.FAIL),
        ("1.5x", 12, Status.PASS),
        ("1.5x", 12.1, Status.FAIL),
        ("constant", 8.1, Status.FAIL),
    ],
)
def test_a_limit_judges_it(limit: str, head: float, status: Status) -> None:
    asked = parse_limit(limit, where="here")

    assert sampled.judge(samples(8, head), asked, PEAK_MEMORY).status is status


def test_a_run_without_it_is_an_error_and_not_nothing() -> None:
    comparison = compared(samples=samples(0, 0), metrics=(PEAK_MEMORY.name,))

    assert judge(comparison).status is Status.ERROR


def test_no_limit_holds_for_counts_too() -> None:
    change = exact.judge(straight(1000), straight(9000), INSTRUCTIONS, NONE, query())

    assert change.status is Status.PASS
    assert (
        whole.status(straight(3).counts["instructions"], straight(9).counts["instructions"], NONE)
        is Status.PASS
    )
    assert NONE.text(SYSCALLS) == "none"
