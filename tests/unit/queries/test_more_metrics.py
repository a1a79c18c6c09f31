"""Metrics beside instructions and time, as query files ask for them."""

from __future__ import annotations

import pytest

from countci.errors import UsageError
from countci.model import Limit, Suites
from countci.queries import load, loosened

COMMAND = """
[query.field]
command = "bank {n}"
metrics = ["syscalls", "time", "allocated_bytes", "peak_memory"]
"""
PYTHON = """
[query.field]
kind = "python"
function = "bank:field"
metrics = ["instructions", "METRIC"]
"""
PYTEST = """
[query.all]
kind = "pytest"
args = ["tests"]
metrics = ["instructions", "METRIC"]
"""


def loaded(text: str) -> Suites:
    return load({"bank.toml": text.encode()}, folder="queries", limits={})


def test_counts_have_a_limit_of_one_percent_and_peak_memory_has_none() -> None:
    (query,) = loaded(COMMAND).queries

    assert query.exact == ("syscalls", "allocated_bytes")
    assert query.limits == {
        "syscalls": Limit(share=0.01),
        "time": Limit(share=0.03),
        "allocated_bytes": Limit(share=0.01),
        "peak_memory": Limit(form="none"),
    }


def test_bytes_may_have_an_amount_and_calls_may_not() -> None:
    text = COMMAND + 'limit.allocated_bytes = "2 KiB"\nlimit.peak_memory = "64 MiB"'
    limits = loaded(text).queries[0].limits

    assert limits["allocated_bytes"] == Limit(form="amount", amount=2048)
    assert limits["peak_memory"] == Limit(form="amount", amount=64 * 2**20)
    with pytest.raises(UsageError, match="syscalls is no number of bytes"):
        loaded(COMMAND + 'limit.syscalls = "2 KiB"')


@pytest.mark.parametrize("metric", ["syscalls", "allocations", "allocated_bytes"])
@pytest.mark.parametrize("text", [PYTHON, PYTEST])
def test_what_only_a_whole_process_tells_is_counted_of_commands_only(
    text: str, metric: str
) -> None:
    with pytest.raises(UsageError, match=f"{metric} can be counted of the kind command only"):
        loaded(text.replace("METRIC", metric))


def test_peak_memory_is_of_what_is_timed() -> None:
    assert loaded(PYTHON.replace("METRIC", "peak_memory")).queries
    with pytest.raises(UsageError, match="peak_memory is of a process that is timed"):
        loaded(PYTEST.replace("METRIC", "peak_memory"))


def test_a_limit_that_is_dropped_is_loosened_and_a_new_one_is_not() -> None:
    free, bound = loaded(COMMAND), loaded(COMMAND + 'limit.peak_memory = "64 MiB"')

    (found,) = loosened(bound, free)
    assert (found.metric, found.text.rpartition(" ")[2]) == ("peak_memory", "none")
    assert loosened(free, bound) == ()
