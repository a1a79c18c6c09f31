from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting import CostGraph, Edge, Row
from countci.counting.callgraph import difference
from countci.counting.callgraph_blocks import cut
from countci.counting.callgraph_names import shown_file, shown_function
from countci.errors import MeasureError

DATA = Path(__file__).parents[2] / "data" / "explaining" / "binaries"
STAGE = Path("/stage")
FILES = {n: DATA / f"rec-{n}.callgrind" for n in (2, 5)}
HEAD = "# callgrind format\nversion: 1\ncmd:  ./work\npart: 1\n\nevents: Ir\nsummary: 9\n\n"


def between(first: Iterable[Path], last: Iterable[Path]) -> CostGraph:
    return difference(cut(first, last), asks=3, stage=STAGE, touched=["rec.c", "a.c"])


def whole() -> CostGraph:
    return between([FILES[2]], [FILES[5]])


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], CostGraph]:
    """Read the lines of a whole process."""

    def graph(lines: str) -> CostGraph:
        path = tmp_path / "cg.1"
        path.write_text(HEAD + lines)
        return difference(cut([], [path]), asks=1, stage=STAGE)

    return graph


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
    graph = difference(cut([], [FILES[2]]), asks=1, stage=STAGE)

    assert graph.total == 301
    assert graph.start_up == frozenset()


def test_processes_are_added_up() -> None:
    graph = between([FILES[2]], [FILES[2], FILES[2]])

    assert graph.total == 301
    assert graph.start_up == frozenset()


def test_a_run_less_itself_is_start_up_and_nothing_else() -> None:
    graph = between([FILES[5]], [FILES[5]])

    assert (graph.own, graph.calls) == ({}, {})
    assert graph.start_up == difference(cut([], [FILES[5]]), asks=1, stage=STAGE).own.keys()


def test_inlined_lines_and_the_callees_library_are_kept_apart(
    read: Callable[[str], CostGraph],
) -> None:
    graph = read(
        "ob=/stage/work\nfl=/stage/src/a.c\nfn=outer\n1 2\nfi=/usr/include/h.h\n7 3\n"
        "fe=/stage/src/a.c\n2 1\ncob=/lib/libc.so.6\ncfi=./malloc/malloc.c\ncfn=malloc\n"
        "calls=3 40 \n2 30\ncfn=inner.part.0\ncalls=1 9\n3 5\n\ntotals: 6\n"
    )

    assert graph.own == {
        Row("src/a.c", "outer", 1): 2,
        Row("/usr/include/h.h", "outer", 7): 3,
        Row("src/a.c", "outer", 2): 1,
    }
    assert graph.calls == {
        Edge(Row("src/a.c", "outer", 2), "malloc"): (3, 30),
        Edge(Row("src/a.c", "outer", 3), "inner"): (1, 5),
    }
    assert graph.objects == {
        "outer": "/stage/work",
        "malloc": "/lib/libc.so.6",
        "inner": "/stage/work",
    }


def test_a_function_begins_in_its_own_file_whatever_was_inlined_before_it(
    read: Callable[[str], CostGraph],
) -> None:
    graph = read(
        "ob=/stage/work\nfl=/stage/a.c\nfn=f\n1 2\nfi=/stage/h.h\n7 3\n\nfn=g\n9 1\n\n"
        "ob=/stage/lib.so\nfl=/stage/b.c\nfn=h\n4 1\n\ntotals: 7\n"
    )

    assert graph.own.keys() >= {Row("a.c", "g", 9), Row("b.c", "h", 4)}
    assert graph.objects["h"] == "/stage/lib.so"


def test_start_up_is_told_of_the_files_that_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "cg.1"
    path.write_text(
        HEAD + "ob=/lib/ld.so\nfl=./elf/rtld.c\nfn=start\n1 2\nfi=/usr/include/h.h\n2 1\n\n"
        "fl=???\nfn=0x12\n0 1\n\nob=/stage/work\nfl=/stage/a.c\nfn=f\n1 3\n\n"
        "fl=/stage/b.c\nfn=g\n4 1\nfi=/stage/a.c\n7 1\nfe=/stage/b.c\n5 1\n\ntotals: 10\n"
    )

    assert between([path], [path]).start_up == {Row("a.c", "f", 1), Row("a.c", "g", 7)}


def test_a_function_of_two_processes_is_one_though_one_of_them_is_as_before(
    tmp_path: Path,
) -> None:
    one, other = tmp_path / "cg.1", tmp_path / "cg.2"
    for path, cost in ((one, 3), (other, 5)):
        path.write_text(HEAD + f"ob=/stage/work\nfl=/stage/a.c\nfn=f\n1 {cost}\n\ntotals: {cost}\n")

    assert between([one], [one, other, one]).own == {Row("a.c", "f", 1): 8}


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("x", "malformed line 'x' of f"),
        ("1 2 3", "malformed line '1 2 3' of f"),
        ("calls=1 2", "malformed line 'calls=1 2' of f"),
        ("1 2", "the totals say 3, the lines add up to 2"),
    ],
)
def test_a_line_that_cannot_be_is_named(
    lines: str, problem: str, read: Callable[[str], CostGraph]
) -> None:
    with pytest.raises(MeasureError) as error:
        read(f"ob=/stage/work\nfl=a.c\nfn=f\n{lines}\n\ntotals: 3\n")

    assert (error.value.where, error.value.problem) == ("cg.1", problem)


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


def test_functions_in_another_order_are_held_against_their_own(tmp_path: Path) -> None:
    one, other = tmp_path / "cg.1", tmp_path / "cg.2"
    f, g, h = "fn=f\n1 3\n", "fn=g\n4 1\n", "fn=h\n"
    one.write_text(HEAD + f"ob=/stage/work\nfl=/stage/a.c\n{f}\n{g}\n{h}\ntotals: 4\n")
    other.write_text(HEAD + f"ob=/stage/work\nfl=/stage/a.c\n{g}\n{f[:-2]}9\n\n{h}\ntotals: 10\n")

    graph = between([one], [other])

    assert graph.own == {Row("a.c", "f", 1): 6}
    assert graph.start_up == {Row("a.c", "g", 4)}


def test_a_name_of_several_libraries_is_told_by_the_one_it_costs_most_in(
    read: Callable[[str], CostGraph],
) -> None:
    graph = read(
        "ob=/stage/lib.so\nfl=???\nfn=0x10\n0 1\n\nob=/stage/work\nfn=0x20\n0 2\n\n"
        "ob=/stage/other.so\nfn=0x30\n0 1\n\ntotals: 4\n"
    )

    assert graph.own == {Row("???", "???", 0): 4}
    assert graph.objects == {"???": "/stage/work"}


COSTS = st.dictionaries(
    st.tuples(st.sampled_from("fgh"), st.integers(1, 5)),
    st.integers(1, 1000),
    min_size=1,
    max_size=12,
)


def profile(costs: dict[tuple[str, int], int]) -> str:
    functions = sorted({function for function, _ in costs})
    lines = {
        function: [f"{line} {cost}" for (where, line), cost in costs.items() if where == function]
        for function in functions
    }
    blocks = ["\n".join([f"fn={function}", *lines[function], ""]) for function in functions]
    total = f"totals: {sum(costs.values())}\n"
    return "\n".join([f"{HEAD}ob=/stage/work\nfl=/stage/a.c", *blocks, total])


@given(COSTS, COSTS)
def test_each_line_is_the_difference_of_any_two_runs(
    first: dict[tuple[str, int], int], last: dict[tuple[str, int], int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "cg.1", Path(folder) / "cg.2"
        for path, costs in zip(paths, (first, last), strict=True):
            path.write_text(profile(costs))
        graph = between(paths[:1], paths[1:])
    expected = {key: last.get(key, 0) - first.get(key, 0) for key in {**first, **last}}

    assert {(row.function, row.line): cost for row, cost in graph.own.items()} == {
        key: cost for key, cost in expected.items() if cost
    }
    assert {(row.function, row.line) for row in graph.start_up} == {
        key for key in first if not expected[key]
    }
