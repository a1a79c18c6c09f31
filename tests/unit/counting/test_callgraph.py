from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting import CostGraph, Edge, Row
from countci.counting.callgraph import Tally, difference, shown_file, shown_function, united
from countci.errors import MeasureError

DATA = Path(__file__).parents[2] / "data" / "explaining" / "binaries"
STAGE = Path("/stage")
FILES = {n: DATA / f"rec-{n}.callgrind" for n in (2, 5)}
HEAD = "# callgrind format\nversion: 1\ncmd:  ./work\npart: 1\n\nevents: Ir\nsummary: 9\n\n"


def whole() -> CostGraph:
    first, last = (united([FILES[n]], STAGE) for n in (2, 5))
    return difference(first, last, asks=3)


def read(lines: str) -> Tally:
    tally = Tally(STAGE)
    tally.add((HEAD + lines).encode(), name="cg.1")
    return tally


def test_the_difference_adds_up_to_that_of_the_totals() -> None:
    graph = whole()

    assert graph.total == 712 - 301
    assert graph.own[Row("rec.c", "work", 4)] == 9
    assert Row("rec.c", "work", 10) not in graph.own


def test_calls_are_told_apart_by_line_and_carry_what_was_called() -> None:
    calls = {(edge.row.function, edge.callee): each for edge, each in whole().calls.items()}

    assert calls["work", "fibonacci"].number == 3
    assert calls["work", "fibonacci"].inclusive == 381
    assert calls["fibonacci", "fibonacci"].number == 24
    assert calls["(below main)", "work"] == (0, 411)


def test_lines_that_cost_no_more_ran_in_start_up() -> None:
    graph = whole()

    assert Row("rec.c", "(below main)", 17) in graph.start_up
    assert not graph.start_up & graph.own.keys()
    assert graph.objects == dict.fromkeys(("(below main)", "work", "fibonacci"), "/stage/rec")


def test_a_whole_process_is_the_difference_from_nothing() -> None:
    tally = united([FILES[2]], STAGE)
    graph = difference(None, tally, asks=1)

    assert graph.own == tally.own
    assert graph.start_up == frozenset()


def test_processes_are_added_up() -> None:
    both = united([FILES[2], FILES[2]], STAGE)

    assert both.own.total() == 2 * 301
    assert difference(united([FILES[2]], STAGE), both, asks=1).total == 301


def test_a_run_less_itself_is_nothing() -> None:
    tally = united([FILES[5]], STAGE)
    graph = difference(tally, tally, asks=1)

    assert (graph.own, graph.calls) == ({}, {})
    assert graph.start_up == tally.own.keys()


def test_inlined_lines_and_the_callees_library_are_kept_apart() -> None:
    tally = read(
        "ob=/stage/work\nfl=/stage/src/a.c\nfn=outer\n1 2\nfi=/usr/include/h.h\n7 3\n"
        "fe=/stage/src/a.c\n2 1\ncob=/lib/libc.so.6\ncfi=./malloc/malloc.c\ncfn=malloc\n"
        "calls=3 40 \n2 30\ncfn=inner.part.0\ncalls=1 9\n3 5\n\ntotals: 6\n"
    )

    assert tally.own == {
        Row("src/a.c", "outer", 1): 2,
        Row("/usr/include/h.h", "outer", 7): 3,
        Row("src/a.c", "outer", 2): 1,
    }
    assert tally.numbers == {
        Edge(Row("src/a.c", "outer", 2), "malloc"): 3,
        Edge(Row("src/a.c", "outer", 3), "inner"): 1,
    }
    assert tally.objects == {
        "outer": "/stage/work",
        "malloc": "/lib/libc.so.6",
        "inner": "/stage/work",
    }


@pytest.mark.parametrize(
    ("lines", "where", "problem"),
    [
        ("ob=a\nfl=a\nfn=f\nx\n\ntotals: 3\n", "cg.1:12", "malformed line 'x'"),
        ("fn=f\n1 2 3\n\ntotals: 3\n", "cg.1:10", "malformed line '1 2 3'"),
        ("fn=f\ncalls=1 2\n\ntotals: 3\n", "cg.1:10", "malformed line 'calls=1 2'"),
        ("fn=f\nzz=1\n\ntotals: 3\n", "cg.1:10", "malformed line 'zz=1'"),
        ("fn=f\n1 2\n\ntotals: 3\n", "cg.1", "the total says 3, the lines add up to 2"),
    ],
)
def test_a_line_that_cannot_be_is_named(lines: str, where: str, problem: str) -> None:
    with pytest.raises(MeasureError) as error:
        read(lines)

    assert (error.value.where, error.value.problem) == (where, problem)


@pytest.mark.parametrize(
    ("name", "within", "expected"),
    [
        ("/stage/src/scan.c", "/stage/work", "src/scan.c"),
        ("/stage/build/../src/scan.c", "/stage/work", "src/scan.c"),
        ("./src/scan.c", "/stage/work", "src/scan.c"),
        ("/usr/include/c++/12/vector", "/stage/work", "/usr/include/c++/12/vector"),
        ("/stages/scan.c", "/stage/work", "/stages/scan.c"),
        ("./malloc/./malloc/malloc.c", "/lib/libc.so.6", "/lib/libc.so.6:malloc/malloc/malloc.c"),
        ("???", "/lib/libc.so.6", "???"),
    ],
)
def test_a_file_is_below_the_stage_or_absolute(name: str, within: str, expected: str) -> None:
    assert shown_file(name, within=within, stage=STAGE) == expected


@pytest.mark.parametrize(
    ("name", "within", "expected"),
    [
        ("scan.constprop.0", "/stage/work", "scan"),
        ("0x0000000000001160", "/stage/work", "???"),
        ("0x000000000009d3a0", "/lib/libc.so.6", "libc.so.6:0x000000000009d3a0"),
    ],
)
def test_code_without_a_name_is_told_by_its_library(name: str, within: str, expected: str) -> None:
    assert shown_function(name, within=within, stage=STAGE) == expected


ROWS = st.dictionaries(
    st.builds(Row, st.sampled_from(["a.c", "b.h"]), st.sampled_from(["f", "g"]), st.integers(0, 5)),
    st.integers(1, 1000),
)


@given(ROWS, ROWS)
def test_the_total_is_the_difference_of_any_two_totals(
    first: dict[Row, int], last: dict[Row, int]
) -> None:
    tallies = [Tally(STAGE), Tally(STAGE)]
    for tally, rows in zip(tallies, (first, last), strict=True):
        tally.own.update(rows)
    graph = difference(tallies[0], tallies[1], asks=1)

    assert graph.total == sum(last.values()) - sum(first.values())
    assert all(graph.own.values())
