"""System calls and allocations of programs that make a known number of each."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from countci.counting import Found, More, count_more
from countci.progress import Silent
from tests.real.bank import Repository, bank
from tests.real.counted import Bench, bench_at

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="counts with strace"),
]

ASKS = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *volatile kept;

static void calls(void)              /* 4 system calls */
{
    int file = open("/dev/null", O_WRONLY);
    if (write(file, "a", 1) != 1 || write(file, "b", 1) != 1) abort();
    close(file);
}

static void heap(void)               /* 3 allocations, 450 bytes */
{
    kept = malloc(100);
    kept = realloc(kept, 200);
    free(kept);
    kept = calloc(3, 50);
    free(kept);
}

static void child(void)              /* 4 system calls, and what libc's fork makes */
{
    pid_t pid = fork();
    if (!pid) { calls(); _exit(0); }
    waitpid(pid, NULL, 0);
}

static void look(void)               /* at the clock: no system call, the vDSO answers */
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
}

int main(int argc, char **argv)
{
    free(malloc(1));
    for (long n = atol(argv[1]); n--;) {
        if (strstr(argv[2], "calls")) calls();
        if (strstr(argv[2], "heap")) heap();
        if (strstr(argv[2], "child")) child();
        if (strstr(argv[2], "look")) look();
    }
    return argc != 3;
}
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    made = bench_at(tmp_path_factory.mktemp("bench"))
    made.compile("asks", ASKS)
    return made


def found(bench: Bench, line: str, tool: str) -> Found:
    request = More(
        query="q", tool=tool, asks=bench.asks(line), points=(10, 20), folder=bench.runs / "q"
    )
    counted = count_more([request], jobs=1, progress=Silent())["q", tool]
    assert not (bench.runs / "q").exists()
    return counted


def per_ask(bench: Bench, line: str, tool: str) -> dict[str, float]:
    counted = found(bench, line, tool)
    assert counted.problem is None, counted.problem
    return {name: float(counts.per_ask) for name, counts in counted.counts.items()}


@pytest.mark.parametrize(("what", "calls"), [("calls", 4), ("heap", 0), ("look", 0)])
def test_system_calls_are_exact(bench: Bench, what: str, calls: int) -> None:
    assert per_ask(bench, f"./asks {{n}} {what}", "strace") == {"syscalls": calls}


def test_system_calls_of_forked_children_are_counted_too(bench: Bench) -> None:
    told = [by_hand(bench, "child", n) for n in (10, 20)]

    assert per_ask(bench, "./asks {n} child", "strace") == {"syscalls": (told[1] - told[0]) / 10}
    assert told[1] - told[0] >= 10 * (4 + 2)


def by_hand(bench: Bench, what: str, n: int) -> int:
    """Return the lines that strace writes of a call that returns; one cut in two is one."""
    out = bench.stage / f"{what}-{n}"
    argv = ("strace", "-f", "-qq", "-e", "signal=none", "-o", out, "./asks", str(n), what)
    subprocess.run(argv, cwd=bench.stage, check=True)
    lines = out.read_text().splitlines()
    return sum(" resumed>" not in line and "exit_group(" not in line for line in lines)


@pytest.mark.parametrize(("what", "blocks", "size"), [("heap", 3, 450), ("calls", 0, 0)])
def test_allocations_and_their_bytes_are_exact(
    bench: Bench, what: str, blocks: int, size: int
) -> None:
    expected = {"allocations": blocks, "allocated_bytes": size}

    assert per_ask(bench, f"./asks {{n}} {what}", "dhat") == expected


def test_programs_that_are_started_are_counted_too(bench: Bench) -> None:
    line = "sh -c './asks {n} calls,heap; ./asks {n} calls,heap'"

    assert per_ask(bench, line, "strace") == {"syscalls": 8}
    assert per_ask(bench, line, "dhat") == {"allocations": 6, "allocated_bytes": 900}


def test_allocations_of_a_forked_child_are_refused(bench: Bench) -> None:
    problem = found(bench, "./asks {n} child", "dhat").problem

    assert problem is not None
    assert "forked without starting a program" in problem.problem
    assert "DHAT can't tell it apart" in problem.detail


@pytest.mark.parametrize("tool", ["strace", "dhat"])
def test_a_program_that_fails_ends_as_itself(bench: Bench, tool: str) -> None:
    problem = found(bench, "sh -c 'echo {n} is too much >&2; exit 7'", tool).problem

    assert problem is not None
    assert (problem.problem, problem.detail) == ("exit status 7", "10 is too much")


CONFIG = 'build = ["cc -O1 -o asks asks.c"]\n'
SUITE = """
[query.both]
command = "./asks {n} calls,heap"
metrics = ["instructions", "syscalls", "allocations", "allocated_bytes"]
limit.instructions = "50%"
[query.quiet]
command = "./asks {n} heap"
metrics = ["syscalls"]
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = bank(tmp_path_factory.mktemp("told"))
    made.git("rm", "-q", "queries/bank.toml")
    made.commit("Asks", asks_dot_c=ASKS, countci_dot_toml=CONFIG, queries__suite_dot_toml=SUITE)
    made.edit("A word", "at the clock", "at a clock", file="asks.c")
    made.edit("One more call", "close(file);", "close(file); close(file);", file="asks.c")
    made.edit("Another word", "at a clock", "at the clock", file="asks.c")
    return made


def changes(repository: Repository) -> dict[str, dict[str, Any]]:
    newest = max((repository.top / ".countci/results").iterdir())
    report = json.loads((newest / "result.json").read_bytes())
    return {
        f"{verdict['query']} {change['metric']}": change
        for verdict in report["verdicts"]
        for change in verdict["changes"]
    }


def test_one_call_more_fails_by_itself_and_is_known_the_next_time(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD~2", "HEAD~1", "--no-time")
    told = changes(repository)

    assert ended.code == 1, ended.err
    assert {name: change["status"] for name, change in told.items()} == {
        "suite/both instructions": "pass",
        "suite/both syscalls": "fail",
        "suite/both allocations": "pass",
        "suite/both allocated_bytes": "pass",
        "suite/quiet syscalls": "pass",
    }
    calls = told["suite/both syscalls"]
    assert (calls["base"], calls["head"], calls["delta"], calls["noise"]) == (4, 5, 0.25, 0)
    assert told["suite/both allocations"]["base"] == 3
    assert told["suite/both allocated_bytes"]["base"] == 450
    assert told["suite/quiet syscalls"]["base"] == 0
    assert "count base again" in ended.err

    again = repository.countci("compare", "HEAD~2", "HEAD~1", "--no-time")
    assert "count base again" not in again.err
    assert changes(repository) == told


def test_bisect_finds_the_commit_that_made_a_call_more(repository: Repository) -> None:
    words = ("--metric", "syscalls", "--no-explain", "--format", "json")
    ended = repository.countci("bisect", "HEAD~3", "HEAD", "suite/both", *words)

    assert ended.code == 0, ended.err
    (step,) = json.loads(ended.out)["steps"]
    assert step["commit"]["revision"]["subject"] == "One more call"
    assert (step["base"], step["head"]) == (4, 5)
