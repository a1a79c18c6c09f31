from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from countci.inside.asks import Apart
from countci.inside.traced import Tracing, trace, trace_apart
from countci.inside.tracing_codes import digest


def made(source: str) -> Callable[..., Any]:
    """Return the function `ask` of a module."""
    found: dict[str, Any] = {}
    exec(compile(source, "module.py", "exec"), found)  # noqa: S102
    ask: Callable[..., Any] = found["ask"]
    return ask


def traced(source: str, warm: int = 2) -> dict[str, Any]:
    return trace(made(source), warm, int)


def by_name(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in found["functions"]}


def calls(found: dict[str, Any]) -> dict[tuple[str | None, str], int]:
    names = [each["name"] for each in found["functions"]]
    return {
        (None if caller is None else names[caller], names[callee]): times
        for caller, callee, times in found["calls"]
    }


LOOP = """
def square(x):
    return x * x

def ask():
    total = 0
    for number in range(10):
        total += square(number)
    return total
"""


def test_calls_are_counted_by_caller_and_callee() -> None:
    assert calls(traced(LOOP)) == {(None, "ask"): 1, ("ask", "square"): 10}


def test_only_the_last_ask_is_traced_however_many_warm_up() -> None:
    assert traced(LOOP, warm=1) == traced(LOOP, warm=20)


def test_a_line_is_counted_as_often_as_it_ran() -> None:
    lines = {line: times for line, times, _ in by_name(traced(LOOP))["ask"]["lines"]}

    assert lines[8] == 10
    assert lines[9] == 1


def test_byte_codes_of_the_lines_are_those_of_the_function() -> None:
    for function in traced(LOOP)["functions"]:
        inside = sum(codes for _, _, codes in function["lines"])
        assert inside == function["byte_codes"]
        assert inside >= 10


def test_one_more_round_costs_one_more_round_of_byte_codes() -> None:
    def codes(rounds: int) -> int:
        found = traced(LOOP.replace("range(10)", f"range({rounds})"))
        return sum(each["byte_codes"] for each in found["functions"])

    assert codes(12) - codes(11) == codes(11) - codes(10) > 0


def test_a_generator_that_goes_on_is_not_called_again() -> None:
    source = """
def numbers():
    for number in range(5):
        yield number

def ask():
    return sum(numbers())
"""

    assert by_name(traced(source))["numbers"]["calls"] == 1


def test_a_cell_is_paid_at_each_call_though_no_event_tells_of_it() -> None:
    source = """
def inner(x):
    if x:
        return REST
    return x

def ask():
    return inner(0)
"""
    plain = by_name(traced(source.replace("REST", "[x]")))["inner"]
    cell = by_name(traced(source.replace("REST", "lambda: x")))["inner"]

    assert (plain["cells"], cell["cells"]) == ([], ["x"])
    assert cell["byte_codes"] - plain["byte_codes"] == 1


def test_c_functions_are_named_by_who_calls_them() -> None:
    found = traced("def ask():\n    return len('x'), len('y'), [3, 1].index(1)\n")

    assert found["foreign"] == [[0, "len", 2], [0, "list.index", 1]]


def test_threads_that_an_ask_begins_are_traced() -> None:
    source = """
import threading
def work():
    return 1
def ask():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
"""

    assert by_name(traced(source))["work"]["calls"] == 1


def test_whoever_looked_on_before_does_so_after() -> None:
    def looking_on(*_: object) -> None:
        return None

    before = sys.gettrace(), threading.gettrace()
    sys.settrace(looking_on)
    try:
        traced(LOOP)
        assert sys.gettrace() is looking_on
        assert threading.gettrace() is before[1]
    finally:
        sys.settrace(before[0])


def test_an_ask_that_raises_is_no_longer_traced() -> None:
    before = sys.gettrace()

    with pytest.raises(ZeroDivisionError):
        traced("def ask():\n    1 / 0\n")

    assert sys.gettrace() is before


def test_what_prepares_an_ask_is_not_traced() -> None:
    ask = made(LOOP)
    log: list[str] = []

    def prepare() -> Apart:
        log.append("made")
        return Apart(ask, lambda: log.append("undone"))

    found = trace_apart(prepare, 3, int)

    assert {each["name"] for each in found["functions"]} == {"ask", "square"}
    assert log == ["made", "undone"] * 5


def test_a_suite_has_one_line_a_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tracing = Tracing("off", tmp_path / "traces")

    for name in ("test_a[x (y)]", "test_b"):
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"t.py::{name} (call)")
        tracing.count(made(LOOP))

    lines = [json.loads(line) for line in (tmp_path / "traces").read_text().splitlines()]
    assert [line["test"] for line in lines] == ["t.py::test_a[x (y)]", "t.py::test_b"]
    assert lines[0]["trace"] == lines[1]["trace"]


@pytest.mark.parametrize(
    "same",
    [
        'def ask(a):\n    "Another text."\n    return a + 1\n',
        "\n\n# lower\ndef ask(a):\n    return a + 1\n",
        "def ask(other):\n    return other + 1\n",
    ],
)
def test_what_costs_nothing_is_in_no_digest(same: str) -> None:
    known = made("def ask(a):\n    return a + 1\n").__code__

    assert digest(made(same).__code__) == digest(known)


@pytest.mark.parametrize(
    "other",
    [
        "def ask(a):\n    return a + 2\n",
        "def ask(a):\n    return a - 1\n",
        "def ask(a):\n    return a + b\n",
        "def ask(a):\n    return a + (lambda: a)()\n",
    ],
)
def test_what_is_executed_is_in_the_digest(other: str) -> None:
    known = made("def ask(a):\n    return a + 1\n").__code__

    assert digest(made(other).__code__) != digest(known)
