"""The rule on generated machines with noise, drift, bursts and waits: what a gate is worth."""

from __future__ import annotations

from collections import Counter

import pytest

from countci.model import Limit, Status
from tests.series import CALM, RESTLESS, Machine, gate

LIMIT = Limit(share=0.03)
GATES = 1000


def outcomes(change: float, machine: Machine, gates: int) -> Counter[Status]:
    found = (gate(seed, change=change, machine=machine, limit=LIMIT) for seed in range(gates))
    return Counter(each.change.status for each in found)


@pytest.mark.parametrize("machine", [CALM, RESTLESS], ids=["calm", "restless"])
def test_equal_programs_fail_at_most_three_times_in_a_thousand(machine: Machine) -> None:
    assert outcomes(0.0, machine, GATES)[Status.FAIL] <= 0.003 * GATES


@pytest.mark.parametrize("machine", [CALM, RESTLESS], ids=["calm", "restless"])
def test_five_percent_are_found_in_ninety_five_of_a_hundred(machine: Machine) -> None:
    assert outcomes(0.05, machine, GATES // 2)[Status.FAIL] >= 0.95 * GATES // 2


def test_two_percent_hardly_ever_fail() -> None:
    assert outcomes(0.02, RESTLESS, GATES // 2)[Status.FAIL] <= 0.01 * GATES // 2


def test_equal_programs_need_hardly_more_than_the_first_look() -> None:
    pairs = [gate(seed, change=0.0, machine=CALM, limit=LIMIT).pairs for seed in range(200)]

    assert sum(pairs) / len(pairs) < 13


@pytest.mark.parametrize("starts", range(21))
def test_a_load_that_starts_in_the_middle_fails_nothing(starts: int) -> None:
    # A tool that ran all of base, then all of head, read +17.3 % here.
    loaded = Machine(load=0.173, load_starts=starts)

    assert outcomes(0.0, loaded, 20)[Status.FAIL] == 0
