from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import MeasureError
from countci.timing.repeat import Trial, choose, find
from countci.units import Seconds

MINUTE = Seconds(60.0)


@dataclass
class Program:
    """Takes its start-up, and so long for each ask."""

    ask: float
    start_up: float = 0.001
    runs: list[int] = field(default_factory=list)

    def __call__(self, n: int) -> Seconds:
        self.runs.append(n)
        return Seconds(self.start_up + n * self.ask)

    def seconds(self, n: int) -> float:
        return self.start_up + n * self.ask


@given(st.floats(1e-7, 0.5), st.floats(0, 0.1))
def test_a_run_is_long_enough_and_hardly_start_up(ask: float, start_up: float) -> None:
    program = Program(ask, start_up)
    n = find(program, repeats=True, longest=MINUTE)

    assert program.seconds(n) >= 0.05
    assert start_up <= program.seconds(n) / 10 * 1.0001


@given(st.floats(1e-7, 0.01), st.floats(0, 0.1))
def test_a_run_is_not_much_longer_than_it_must_be(ask: float, start_up: float) -> None:
    program = Program(ask, start_up)
    n = find(program, repeats=True, longest=MINUTE)

    must = max(0.05, 10 * start_up)
    assert program.seconds(n) <= 4 * must + 2 * ask


def test_a_slow_query_is_asked_once_or_twice() -> None:
    assert find(Program(1.0), repeats=True, longest=MINUTE) <= 2


def test_a_command_without_n_is_asked_once_and_not_run() -> None:
    program = Program(1e-6)

    assert find(program, repeats=False, longest=MINUTE) == 1
    assert program.runs == []


def test_the_first_run_is_not_taken_into_account() -> None:
    program = Program(0.01)

    def cold(n: int) -> Seconds:
        return Seconds(program(n) + (5.0 if len(program.runs) == 1 else 0.0))

    assert find(cold, repeats=True, longest=MINUTE) <= 8


@pytest.mark.parametrize("ask", [0.4, 0.8, 40.0])
def test_a_run_is_never_chosen_longer_than_allowed(ask: float) -> None:
    program = Program(ask, start_up=3.0)

    assert program.seconds(find(program, repeats=True, longest=Seconds(10.0))) <= max(10, 3 + ask)
    assert max(program.runs) * ask <= max(10, ask)


def test_a_command_that_ignores_n_is_an_error_that_says_so() -> None:
    with pytest.raises(MeasureError, match="asks take 10") as found:
        find(Program(0.0, start_up=0.01), repeats=True, longest=MINUTE)

    assert "{n} times" in found.value.detail


def test_times_that_hardly_differ_make_the_next_trial_four_times_as_long() -> None:
    trials = [Trial(n=1, seconds=Seconds(0.02)), Trial(n=2, seconds=Seconds(0.0199))]

    assert choose(trials, MINUTE).n == 8
