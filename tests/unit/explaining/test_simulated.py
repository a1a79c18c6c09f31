from __future__ import annotations

from dataclasses import replace

import pytest

from countci.counting import Misses
from countci.explaining.simulated import reason

BASE = Misses(data=1000.0, last=50.0, branches=200.0, instructions=100_000.0)


def test_misses_that_rose_are_named_with_both_sides() -> None:
    found = reason(BASE, replace(BASE, data=9000.0))

    assert found.code == "misses"
    assert found.text == (
        "simulated, an ask has more misses of the first-level data cache: "
        "1,000 → 9,000 (+800\N{NO-BREAK SPACE}%)"
    )


def test_each_kind_that_rose_is_named() -> None:
    found = reason(BASE, replace(BASE, last=90.0, branches=400.0))

    assert "last-level cache: 50 → 90" in found.text
    assert "mispredicted branches: 200 → 400" in found.text
    assert "first-level" not in found.text


def test_misses_out_of_nothing_have_no_percentage() -> None:
    found = reason(replace(BASE, branches=0.0), BASE)

    assert found.text.endswith("mispredicted branches: 0 → 200")


@pytest.mark.parametrize(
    "head",
    [
        BASE,
        replace(BASE, branches=220.0),  # the predictor's tables are shared by address
        replace(BASE, data=1019.0),
        replace(BASE, data=500.0, last=10.0),
        replace(BASE, last=51.1),  # 110 cycles of 100,000 instructions
    ],
)
def test_without_a_hit_it_says_what_the_simulator_is_blind_to(head: Misses) -> None:
    found = reason(BASE, head)

    assert found.code == "no-misses"
    assert "no cause seen in the simulation" in found.text
    assert "latency chains, denormals, alignment, TLB, page faults, contention" in found.text
