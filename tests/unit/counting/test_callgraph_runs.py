from __future__ import annotations

import pytest

from countci.counting.callgraph_runs import _compared
from countci.counting.costgraph import CostGraph, Row
from countci.model import Point


def graph(total: int) -> CostGraph:
    return CostGraph(asks=10, own={Row("a.c", "main", 3): total}, calls={}, start_up=frozenset())


def test_equal_slopes_need_no_word() -> None:
    points = (Point(n=10, total=1_500), Point(n=20, total=2_500))

    assert _compared(graph(1_000), points) == ()


def test_one_instruction_of_difference_is_said_with_both_numbers() -> None:
    points = (Point(n=10, total=1_500), Point(n=20, total=2_501))
    (note,) = _compared(graph(1_000), points)

    assert note.code == "counted-otherwise"
    assert "1,000 instructions in 10 asks, 1,001 before" in note.text


@pytest.mark.parametrize(("total", "notes"), [(1_000_900, 0), (1_002_000, 1)])
def test_a_whole_process_may_start_in_a_few_instructions_more(total: int, notes: int) -> None:
    assert len(_compared(graph(total), (Point(n=1, total=1_000_000),))) == notes
