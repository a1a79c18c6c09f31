"""One ask traced in each Python that is here: the same calls, the same trace each time."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.real.inside import INSIDE, pythons

pytestmark = pytest.mark.slow

SOURCE = """
import asyncio, json, threading

def numbers(n):
    for number in range(n):
        yield number

def half(number):
    return number / 2

async def later(number):
    await asyncio.sleep(0)
    return half(number)

def work():
    half(1)

def ask():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    total = sum(half(number) for number in numbers(5))
    generator = numbers(3)
    next(generator)
    try:
        generator.throw(KeyError)
    except KeyError:
        total += 1
    return json.dumps({"b": {1, 2}.pop(), "total": total})

async def awaited():
    return await asyncio.gather(later(1), later(2))
"""
CELLS = """
def plain(x):
    if x is None:
        return [x]
    return x

def ask():
    return [plain(1) for _ in range(10)]
"""


def traced(python: str, folder: Path, function: str, **more: str) -> dict[str, Any]:
    out = folder / "out.json"
    env = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)} | more
    words = ("--function", function, "--trace", "--warm", "4", "--out", str(out))
    subprocess.run([python, str(INSIDE / "runner.py"), *words], env=env, check=True, cwd=folder)
    found: dict[str, Any] = json.loads(out.read_text())["trace"]
    return found


def own(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the project's functions of a trace, by name."""
    return {each["name"]: each for each in found["functions"] if each["file"].endswith("/asks.py")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "asks.py").write_text(SOURCE)
    return tmp_path


@pytest.mark.parametrize("python", pythons())
def test_a_trace_is_the_same_in_another_process_and_at_another_hash_seed(
    python: str, folder: Path
) -> None:
    first = traced(python, folder, "asks:ask")

    assert traced(python, folder, "asks:ask") == first
    assert traced(python, folder, "asks:ask", PYTHONHASHSEED="7") == first


@pytest.mark.parametrize("python", pythons())
def test_calls_are_those_that_one_counts_by_reading(python: str, folder: Path) -> None:
    found = own(traced(python, folder, "asks:ask"))

    calls = {name: each["calls"] for name, each in found.items() if "<genexpr>" not in name}
    assert calls == {"ask": 1, "work": 1, "half": 6, "numbers": 2}


@pytest.mark.parametrize("python", pythons())
def test_a_coroutine_that_goes_on_is_not_called_again(python: str, folder: Path) -> None:
    found = own(traced(python, folder, "asks:awaited"))

    assert {name: each["calls"] for name, each in found.items()} == {
        "awaited": 1,
        "later": 2,
        "half": 2,
    }


@pytest.mark.parametrize("python", pythons())
def test_a_cell_shows_in_byte_codes_and_digest(python: str, folder: Path) -> None:
    sides = []
    for text in (CELLS, CELLS.replace("[x]", "lambda: x")):
        (folder / "asks.py").write_text(text)
        sides.append(own(traced(python, folder, "asks:ask"))["plain"])

    base, head = sides
    assert (base["cells"], head["cells"]) == ([], ["x"])
    assert head["byte_codes"] - base["byte_codes"] == 10
    assert base["digest"] != head["digest"]
