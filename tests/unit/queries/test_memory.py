from __future__ import annotations

from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.model import Limit, MemoryWork, Query, Ready
from countci.queries import Place, load, memory_commands, memory_work

TEXT = """
[query.apps]
kind = "memory"
start = "./host --port {port} --apps {at}"
memory = { at = [1, 10, 100], touch = ["./client {port} {at} put", "./client {port} {at} get"] }
limit.private_dirty_slope = "216 KiB"
limit.threads = "constant"
"""


def loaded(text: str) -> Query:
    return load({"host.toml": text.encode()}, folder="queries", limits={}).queries[0]


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        loaded(text)
    return str(caught.value)


def test_a_memory_query_names_its_steps_and_what_touches_them() -> None:
    query = loaded(TEXT)

    assert isinstance(query.work, MemoryWork)
    assert query.work.at == (1, 10, 100)
    assert len(query.work.touch) == 2
    assert query.work.ready == Ready(tcp="{port}")
    assert query.metrics == ("private_dirty_slope", "threads")
    assert query.limits["private_dirty_slope"] == Limit(form="amount", amount=216 * 1024)
    assert query.limits["threads"] == Limit(form="constant")
    assert query.exact == ()


def test_only_the_slope_of_written_memory_has_a_limit_by_itself() -> None:
    text = TEXT.partition("limit.")[0] + 'metrics = ["private_dirty_slope", "rss", "threads"]'
    limits = loaded(text).limits

    assert limits["private_dirty_slope"] == Limit(share=0.05)
    assert limits["rss"] == limits["threads"] == Limit(form="none")


def test_every_step_is_started_with_its_number_and_the_same_port(tmp_path: Path) -> None:
    place = Place(tree=tmp_path, work=tmp_path, queries=tmp_path, env={"PATH": "/bin"})
    query = loaded(TEXT)
    start, put, get = memory_commands(query, place, 4711, 10)

    assert start.argv == ("./host", "--port", "4711", "--apps", "10")
    assert put.argv == ("./client", "4711", "10", "put")
    assert get.argv[-1] == "get"
    assert memory_work(query, place, 4711).ready == Ready(tcp="4711")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[1, 10, 100]", "[1]", "name two numbers of steps or more, rising"),
        ("[1, 10, 100]", "[1, 1]", "name two numbers of steps or more, rising"),
        ("[1, 10, 100]", "[10, 1]", "name two numbers of steps or more, rising"),
        ("{at}", "7", "{at} stands nowhere"),
        ("touch =", "tuoch =", "tuoch"),
        ("limit.threads", "limit.treads", "treads"),
        ('limit.threads = "constant"', 'metrics = ["time"]', "has no time"),
        ('"constant"', '"3 KiB"', "threads is no number of bytes"),
        ("{port} --apps", "{prot} --apps", 'did you mean "port"'),
        ('limit.threads = "constant"', 'ready = { http = "http://example.org/" }', "this machine"),
    ],
)
def test_a_slip_is_an_error_with_its_place(old: str, new: str, problem: str) -> None:
    message = refused(TEXT.replace(old, new))

    assert problem in message
    assert message.startswith("queries/host.toml:")
