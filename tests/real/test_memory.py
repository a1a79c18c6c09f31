"""What real processes hold: a known leak a step, a thread a step, one that never rests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.bank import Repository, bank

pytestmark = pytest.mark.slow

HOST = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEP = 100 * 1024 };

static void *idle(void *nothing) { pause(); return nothing; }

int main(int argc, char **argv)
{
    int steps = atoi(argv[1]), threads = argc > 2 && !strcmp(argv[2], "threads");
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGTERM);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    for (int i = 0; i < steps; i++) {
        memset(malloc(STEP), 1, STEP);
        pthread_t thread;
        if (threads) pthread_create(&thread, NULL, idle, NULL);
    }
    puts("ready");
    fflush(stdout);
    if (argc > 2 && !strcmp(argv[2], "restless"))
        for (;;) { memset(malloc(STEP), 1, STEP); usleep(1000); }
    sigwait(&ended, &steps);
    return 0;
}
"""
CONFIG = 'build = ["cc -O1 -pthread -o host host.c"]\n'
SUITE = """
[query.leak]
kind = "memory"
start = "./host {at}"
ready = { line = "ready" }
memory = { at = [1, 10, 50], touch = "sh -c 'echo {at} >> TOP/touched'" }
limit.private_dirty_slope = "110 KiB"
limit.threads = "constant"
[query.threads]
kind = "memory"
start = "./host {at} threads"
ready = { line = "ready" }
memory = { at = [1, 20] }
limit.threads = "constant"
[query.restless]
kind = "memory"
start = "./host {at} restless"
ready = { line = "ready", within = "1s" }
memory = { at = [1, 2] }
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = bank(tmp_path_factory.mktemp("host"))
    made.git("rm", "-q", "queries/bank.toml")
    suite = SUITE.replace("TOP", str(made.cache.parent))
    made.commit("Host", host_dot_c=HOST, countci_dot_toml=CONFIG, queries__host_dot_toml=suite)
    made.edit("Grow", "STEP = 100 * 1024", "STEP = 120 * 1024", file="host.c")
    return made


@pytest.fixture(scope="module")
def told(repository: Repository) -> dict[str, dict[str, Any]]:
    """Return what became of each query, by its name."""
    ended = repository.countci("compare", "HEAD~1", "HEAD")
    newest = max((repository.top / ".countci/results").iterdir())
    report = json.loads((newest / "result.json").read_bytes())
    assert ended.code == 3, ended.err  # the restless one
    return {verdict["query"]: verdict for verdict in report["verdicts"]}


def changes(verdict: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {change["metric"]: change for change in verdict["changes"]}


def test_a_step_of_100_kib_is_read_within_two_pages(told: dict[str, dict[str, Any]]) -> None:
    change = changes(told["host/leak"])["private_dirty_slope"]

    assert change["base"] == pytest.approx(100 * 1024, abs=2 * 4096)
    assert change["head"] == pytest.approx(120 * 1024, abs=2 * 4096)
    assert change["status"] == "fail"
    assert change["pairs"] == 3


def test_threads_of_a_host_are_constant_and_one_a_step_is_not(
    told: dict[str, dict[str, Any]],
) -> None:
    steady = changes(told["host/leak"])["threads"]
    growing = changes(told["host/threads"])["threads"]

    assert (steady["head"], steady["status"]) == (1, "pass")
    assert (growing["head"], growing["status"]) == (21, "fail")
    assert "1, 20 steps on head: 2 threads, 21 threads" in growing["reasons"][1]["text"].replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_what_never_gets_quiet_is_an_error(told: dict[str, dict[str, Any]]) -> None:
    problem = told["host/restless"]["problem"]

    assert "not quiet within" in problem["problem"]
    assert "restless" in problem["where"]


def test_every_step_was_touched_and_nothing_still_runs(
    repository: Repository, told: dict[str, dict[str, Any]]
) -> None:
    touched = (repository.cache.parent / "touched").read_text().split()

    assert told
    assert touched == ["1", "10", "50"] * (2 + 2 * 3)  # one run a side isn't recorded
    running = [path for path in Path("/proc").glob("[0-9]*/exe") if _is_host(path, repository)]
    assert running == []


def _is_host(path: Path, repository: Repository) -> bool:
    try:
        return str(path.readlink()).startswith(str(repository.cache))
    except OSError:
        return False
