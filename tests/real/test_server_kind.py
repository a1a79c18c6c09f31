"""Servers, compared between two revisions: under load, and by what a request costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.bank import Repository, bank

pytestmark = pytest.mark.slow

# In C, because a counted interpreter takes seconds to start.
SOURCE = r"""
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 100000, PAUSE = 0 };

static volatile unsigned long state;

static int answer(int connection)
{
    char buffer[4096];
    long got = 0;
    while (got < 4 || memcmp(buffer + got - 4, "\r\n\r\n", 4)) {
        long more = read(connection, buffer + got, sizeof buffer - got);
        if (more <= 0) return 0;
        got += more;
    }
    for (int i = 0; i < STEPS; i++)
        state = state * 6364136223846793005UL + 1442695040888963407UL;
    if (PAUSE) usleep(PAUSE);
    const char *page = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    return write(connection, page, strlen(page)) > 0;
}

int main(int argc, char **argv)
{
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[1])) };
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 64)) return 1;
    puts("listening");
    fflush(stdout);
    for (;;) {
        int connection = accept(listener, 0, 0);
        while (answer(connection)) ;
        close(connection);
    }
}
"""
CONFIG = 'build = ["cc -O1 -g -o serve serve.c"]\n'
SUITE = """
[query.requests]
kind = "server"
start = "./serve {port}"
metrics = ["instructions"]

[query.load]
kind = "server"
start = "./serve {port}"
ready = { line = "listening" }
concurrency = 1
requests = 200
limit.throughput = "3x"
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    made.write(countci_dot_toml=CONFIG, queries__bank_dot_toml=SUITE, serve_dot_c=SOURCE)
    made.commit("A server")
    return made


def verdicts(repository: Repository) -> dict[str, Any]:
    """Return what the newest result tells of each query."""
    newest = max((repository.top / ".countci/results").iterdir())
    found = json.loads((newest / "result.json").read_bytes())
    return {each["query"]: each for each in found["verdicts"]}


def test_a_request_costs_what_its_work_costs(repository: Repository) -> None:
    repository.edit("Longer", "STEPS = 100000", "STEPS = 110000", file="serve.c")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/requests")

    assert ended.code == 1, ended.err
    (change,) = verdicts(repository)["bank/requests"]["changes"]
    assert change["delta"] == pytest.approx(0.10, abs=0.01)
    assert change["base"] == pytest.approx(100_000 * 6, rel=0.5)
    assert change["noise"] < 0.001


def test_throughput_that_falls_below_its_limit_fails(repository: Repository) -> None:
    repository.edit("Sleepy", "PAUSE = 0", "PAUSE = 4000", file="serve.c")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/load")

    assert ended.code == 1, ended.err
    (change,) = verdicts(repository)["bank/load"]["changes"]
    assert change["status"] == "fail"
    assert change["pairs"] == 6
    assert change["delta"] < -0.6
    assert "closed loop of 1 connections (own)" in " ".join(ended.out.split())


def test_a_server_that_is_broken_on_head_is_an_error_that_says_why(repository: Repository) -> None:
    repository.edit("Broken", 'puts("listening")', 'puts("no licence"); exit(4)', file="serve.c")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/load")

    assert ended.code == 3, ended.out
    assert "the server ended before it was ready, exit status 4" in " ".join(ended.out.split())
    assert "no licence" in ended.out


def test_a_server_that_reads_nothing_of_a_change_is_proven_equal(repository: Repository) -> None:
    repository.write(README_dot_md="About the server\n")
    repository.commit("About it")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 0, ended.out
    found = verdicts(repository)
    assert {name: verdict["status"] for name, verdict in found.items()} == {
        "bank/requests": "pass",
        "bank/load": "pass",
    }
    assert found["bank/requests"]["changes"][0]["proven"]


def test_another_page_is_an_error_where_it_must_be_the_same(repository: Repository) -> None:
    suite = SUITE.replace(
        'metrics = ["instructions"]', 'metrics = ["instructions"]\noutput = "same"'
    )
    repository.commit("The same page", queries__bank_dot_toml=suite)
    repository.edit("Other page", r"\r\n\r\nok", r"\r\n\r\nno", file="serve.c")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/requests")

    assert ended.code == 3, ended.out
    assert "the output changed" in ended.out
