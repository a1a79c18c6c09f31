"""Programs of the same instructions that take longer: what simulated caches and branches see."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from countci import counting
from countci.counting import Misses, cachegrind
from countci.errors import MeasureError
from countci.explaining.simulated import reason
from countci.model import Counts, Point
from tests.real.counted import FORKS, Bench, bench_at

pytestmark = pytest.mark.slow

INDEX = """
#include <stdio.h>
#include <stdlib.h>
enum { SIZE = 1 << 18 };
static unsigned long order[SIZE], values[SIZE];
int main(int argc, char **argv)
{
    unsigned long sum = 0, step = STEP;
    for (unsigned long at = 0; at < SIZE; at++)
        order[at] = at * step % SIZE, values[at] = at;
    for (long ask = atol(argv[1]); ask--;)
        for (unsigned long at = 0; at < SIZE; at++)
            sum += values[order[at]];
    printf("%lu\\n", sum);
    return 0;
}
"""
BRANCHES = """
#include <stdio.h>
#include <stdlib.h>
enum { SIZE = 20000 };
static unsigned char bits[SIZE];
int main(int argc, char **argv)
{
    unsigned state = 1;
    volatile unsigned long odd = 0, even = 0;
    for (unsigned at = 0; at < SIZE; at++) {
        state = state * 1103515245 + 12345;
        bits[at] = SHUFFLED ? state >> 16 & 1 : at >= SIZE / 2;
    }
    for (long ask = atol(argv[1]); ask--;)
        for (unsigned at = 0; at < SIZE; at++)
            if (bits[at]) odd += at; else even += at;
    printf("%lu\\n", odd + even);
    return 0;
}
"""
CHAIN = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    unsigned long a = 3, b = 5;
    for (long ask = atol(argv[1]); ask--;)
        for (int step = 0; step < 10000; step++) {
            __asm__ volatile("imul $3, %0, %0" : "+r"(a));
            __asm__ volatile("imul $3, " SECOND ", " SECOND : "+r"(a), "+r"(b));
        }
    printf("%d\\n", (a ^ b) != 1);
    return 0;
}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_at(tmp_path)


def missed(bench: Bench, source: str, flag: str, points: tuple[int, ...]) -> Misses:
    """Count a program and simulate it; the instructions of both are the same."""
    bench.compile("work", source, "-O1", flag)
    request = bench.request("./work {n}", points=points)
    measured = bench.outcomes(request)["q"].measurement
    assert measured is not None
    counts = measured.counts["instructions"]
    with ThreadPoolExecutor(2) as runs:
        found = counting.misses(replace(request, counter=measured.counter), counts, runs)
    assert found.instructions == counts.per_ask
    assert not request.folder.exists()
    return found


def test_a_random_index_misses_the_data_cache(bench: Bench) -> None:
    points = (1, 2, 3)
    base = missed(bench, INDEX, "-DSTEP=1", points)
    head = missed(bench, INDEX, "-DSTEP=100003", points)

    assert base.instructions == head.instructions
    assert head.data > 3 * base.data
    found = reason(base, head)
    assert found.code == "misses"
    assert "first-level data cache" in found.text
    assert "branches" not in found.text


def test_shuffled_branches_are_mispredicted(bench: Bench) -> None:
    points = (2, 4, 8)
    base = missed(bench, BRANCHES, "-DSHUFFLED=0", points)
    head = missed(bench, BRANCHES, "-DSHUFFLED=1", points)

    assert base.instructions == pytest.approx(head.instructions, rel=0.01)
    assert head.branches > 5000
    found = reason(base, head)
    assert "mispredicted branches" in found.text
    assert "cache" not in found.text


def test_a_chain_of_multiplications_is_not_seen(bench: Bench) -> None:
    points = (2, 4, 8)
    base = missed(bench, CHAIN, '-DSECOND="%1"', points)
    head = missed(bench, CHAIN, '-DSECOND="%0"', points)

    assert base == head
    assert reason(base, head).code == "no-misses"


def test_forked_children_are_refused(bench: Bench) -> None:
    bench.compile("forks", FORKS)
    request = replace(bench.request("./forks"), counter="callgrind")
    counts = Counts(points=(Point(n=1, total=1),))
    with ThreadPoolExecutor(1) as runs, pytest.raises(MeasureError, match="forked children"):
        counting.misses(request, counts, runs)


def test_the_geometry_is_the_same_on_each_machine(bench: Bench) -> None:
    """Whatever the machine has: all three caches are given."""
    bench.compile("work", CHAIN, '-DSECOND="%1"')
    command = cachegrind.wrap(
        bench.request("./work {n}").asks(1),
        out=bench.stage,
        trace=False,
        valgrind="valgrind",
        tool="simulation",
    )

    assert {"--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"} <= set(command.argv)
    assert "--tool=cachegrind" in command.argv
