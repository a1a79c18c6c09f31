"""Lines and calls of real programs: the same instructions that were counted, to the last one."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from countci import counting
from countci.counting import Count, Graphed, Row
from countci.errors import MeasureError
from countci.explaining.binaries import examine
from countci.model import Counts, Point
from tests.real.counted import FORKS, SPAWNS, Bench, bench_at

pytestmark = pytest.mark.slow

LIBRARY = """
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
char *copied(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return strcpy(copy, text);
}
"""
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int fibonacci(int n);
char *copied(const char *text);
static int twice(int n) { return 2 * n + 1; }
int main(int argc, char **argv)
{
    long sum = 0;
    for (int ask = atoi(argv[1]); ask--;) {
        char *text = copied("some words");
        sum += fibonacci(10) + twice(text[ask % 4]);
        free(text);
    }
    printf("%ld\\n", sum);
    return 0;
}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_at(tmp_path)


def make(bench: Bench, *flags: str) -> None:
    """Make a program and a library of its own, below the stage."""
    (bench.stage / "source").mkdir()
    (bench.stage / "source" / "library.c").write_text(LIBRARY)
    (bench.stage / "source" / "program.c").write_text(PROGRAM)
    shared = ["gcc", "-O2", *flags, "-shared", "-fPIC", "-o", "libwork.so", "source/library.c"]
    program = ["gcc", "-O2", *flags, "-o", "work", "source/program.c", "-L.", "-lwork"]
    subprocess.run(shared, cwd=bench.stage, check=True)
    subprocess.run([*program, f"-Wl,-rpath,{bench.stage}"], cwd=bench.stage, check=True)


def graphed(bench: Bench, request: Count) -> tuple[Counts, Graphed]:
    """Count a request, then run it again for its lines and calls."""
    outcome = bench.outcomes(request)["q"]
    assert outcome.measurement is not None, outcome.problem
    counts = outcome.measurement.counts["instructions"]
    request = replace(request, counter=outcome.measurement.counter, trace=False)
    with ThreadPoolExecutor(2) as runs:
        return counts, counting.cost_graph(request, counts, runs)


def test_the_lines_add_up_to_what_was_counted_with_recursion_a_library_and_malloc(
    bench: Bench,
) -> None:
    make(bench, "-g")
    counts, found = graphed(bench, bench.request("./work {n}", points=(10, 20, 50)))
    graph = found.graph
    own = {row.function for row in graph.own if row.file.startswith("source/")}
    calls = {(edge.row.function, edge.callee): each for edge, each in graph.calls.items()}

    assert found.notes == ()
    assert graph.asks == 30
    assert graph.total == counts.per_ask * 30
    assert own == {"main", "fibonacci", "copied"}
    assert calls["copied", "malloc"].number == 30
    assert calls["main", "fibonacci"].number == 30
    assert calls["fibonacci", "fibonacci"].number > 30
    assert graph.objects["fibonacci"] == str(bench.stage / "libwork.so")


def test_a_whole_process_is_counted_with_its_calls(bench: Bench) -> None:
    make(bench, "-g")
    counts, found = graphed(bench, bench.request("./work 7"))

    assert (found.graph.asks, found.graph.start_up) == (1, frozenset())
    assert found.graph.total == pytest.approx(counts.points[0].total, rel=0.001)


def test_children_that_exec_are_part_of_the_whole(bench: Bench) -> None:
    bench.compile("spawns", SPAWNS, "-pthread")
    counts, found = graphed(bench, bench.request("./spawns"))

    assert found.graph.total == pytest.approx(counts.points[0].total, rel=0.001)
    assert found.notes == ()


def test_forked_children_are_counted_apart_as_they_were_before(bench: Bench) -> None:
    bench.compile("forks", FORKS, "-g")
    request = replace(
        bench.request("./forks"),
        forks=lambda: counting.preload("forks", bench.stage.parent / "made", bench.env),
    )
    counts, found = graphed(bench, request)
    loop = sum(cost for row, cost in found.graph.own.items() if row.file == "forks.c")

    assert found.graph.total == counts.points[0].total
    assert loop > 14_000_000 * 3
    assert found.notes == ()


def test_without_debug_information_functions_are_known(bench: Bench) -> None:
    make(bench)
    _, found = graphed(bench, bench.request("./work {n}", points=(10, 20)))
    examined = examine(found.graph, bench.stage, bench.env)
    ours = {row for row in found.graph.own if row.function in {"main", "fibonacci", "copied"}}

    assert {(row.file, row.line) for row in ours} == {("???", 0)}
    assert len(ours) == 3
    assert examined.code is not None
    assert examined.code.names == "functions"
    assert {note.text for note in examined.notes} == {
        f"no debug information in {name}: functions only. Build with -g; it changes no instruction"
        for name in ("work", "libwork.so")
    }


def test_a_stripped_program_is_named(bench: Bench) -> None:
    make(bench, "-g")
    subprocess.run(["strip", "work"], cwd=bench.stage, check=True)
    _, found = graphed(bench, bench.request("./work {n}", points=(10, 20)))
    examined = examine(found.graph, bench.stage, bench.env)

    assert found.notes == ()
    assert [note.text for note in examined.notes] == ["no names in work: do not strip the artifact"]
    assert Row("???", "???", 0) in found.graph.own


def test_split_debug_information_is_an_error_that_names_the_flag(bench: Bench) -> None:
    make(bench, "-gdwarf-5", "-gsplit-dwarf")
    problem = bench.outcomes(bench.request("./work {n}"))["q"].problem
    counts = Counts(points=(Point(n=10, total=1), Point(n=20, total=2)))
    if problem is None:
        pytest.skip("this valgrind reads split debug information")

    assert "build without -gsplit-dwarf" in problem.detail
    with (
        ThreadPoolExecutor(2) as runs,
        pytest.raises(MeasureError, match="build without -gsplit-dwarf"),
    ):
        counting.cost_graph(bench.request("./work {n}"), counts, runs)
