from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from countci.counting.preloads import preload
from countci.errors import MeasureError
from tests.real.inside import TOOLS

pytestmark = pytest.mark.slow

_DATA = Path(__file__).parents[1] / "data" / "inside"
_CLOCKS = """
import os, random, time
print(time.time(), time.monotonic(), time.process_time(), time.clock_gettime(7))
print(os.urandom(20).hex(), random.random())
end = time.time() + 0.01
while time.time() < end:
    pass
"""
_FORKS = """
#include <sys/wait.h>
#include <unistd.h>
static void work(long n) { for (long i = 0; i < n; i++) __asm__ volatile(""); }
int main(void)
{
    work(30000000); /* two instructions each */
    for (int i = 0; i < 4; i++)
        if (!fork()) {
            work(3000000);
            _exit(0);
        }
    while (wait(0) > 0) { }
    return 0;
}
"""


def _library(name: str, folder: Path) -> str:
    library = preload(name, folder, TOOLS)  # type: ignore[arg-type]
    assert library is not None
    return str(library)


def _compile(source: Path, target: Path) -> Path:
    command = ["cc", "-O1", "-fno-builtin", "-pthread", "-o", str(target), str(source)]
    subprocess.run(command, check=True, env=TOOLS)
    return target


def _said(env: Mapping[str, str], *words: str) -> str:
    return subprocess.run(words, env=env, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("threads", ["1", "4"])
def test_the_flat_allocator_keeps_every_promise_of_malloc(threads: str, tmp_path: Path) -> None:
    program = _compile(_DATA / "stress.c", tmp_path / "stress")

    flat = {"LD_PRELOAD": _library("flat", tmp_path / "made")}
    for env in ({"ROUNDS": "15000"}, {"ROUNDS": "15000"} | flat):
        assert _said(env, str(program), threads) == "good\n"


def test_the_flat_allocator_works_under_valgrind_and_with_little_memory(tmp_path: Path) -> None:
    program = _compile(_DATA / "stress.c", tmp_path / "stress")
    env = {"LD_PRELOAD": _library("flat", tmp_path / "made"), "ROUNDS": "800"} | TOOLS

    counted = _said(env, "valgrind", "-q", "--tool=none", str(program), "2")
    limited = _said(env, "sh", "-c", f"ulimit -v 900000; exec {program} 1")

    assert counted == limited == "good\n"


def test_the_same_calls_cost_the_same_wherever_blocks_fall(tmp_path: Path) -> None:
    program = _compile(_DATA / "places.c", tmp_path / "places")
    env = {"LD_PRELOAD": _library("flat", tmp_path / "made")} | TOOLS

    def count(shift: int) -> int:
        words = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no")
        out = f"--cachegrind-out-file={tmp_path}/cg.{shift}"
        totals = []
        for asks in (100, 300):
            _said(env, *words, out, str(program), str(shift), str(asks))
            found = re.search(
                r"^summary: (\d+)", (tmp_path / f"cg.{shift}").read_text(), re.MULTILINE
            )
            assert found is not None
            totals.append(int(found[1]))
        return totals[1] - totals[0]

    # What is left are copies, which glibc makes otherwise where two blocks lie alike in pages.
    assert count(77) == pytest.approx(count(0), rel=0.001)


def test_the_clock_advances_and_the_numbers_repeat(tmp_path: Path) -> None:
    python = os.path.realpath("/proc/self/exe")
    env = {"LD_PRELOAD": _library("steady", tmp_path)}

    first, again = (_said(env, python, "-c", _CLOCKS) for _ in range(2))
    other = _said(env | {"COUNTCI_SEED": "2"}, python, "-c", _CLOCKS)

    assert first == again != other
    realtime, monotonic, *_ = (float(word) for word in first.split()[:4])
    assert 1.7e9 < realtime < 1.71e9
    assert 1 < monotonic < 2


@pytest.mark.parametrize(("fixed", "steady"), [("clock", 0), ("random", 1)])
def test_only_what_is_asked_for_is_fixed(fixed: str, steady: int, tmp_path: Path) -> None:
    python = os.path.realpath("/proc/self/exe")
    env = {"LD_PRELOAD": _library("steady", tmp_path), "COUNTCI_FIXED": fixed}

    first, again = (_said(env, python, "-c", _CLOCKS).splitlines() for _ in range(2))

    assert first[steady] == again[steady]
    assert first[1 - steady] != again[1 - steady]


def test_forked_children_are_counted_apart(tmp_path: Path) -> None:
    (tmp_path / "forks.c").write_text(_FORKS)
    program = _compile(tmp_path / "forks.c", tmp_path / "forks")
    env = {"LD_PRELOAD": _library("forks", tmp_path / "made")} | TOOLS

    out = f"--callgrind-out-file={tmp_path}/cg.%p"
    _said(env, "valgrind", "-q", "--tool=callgrind", out, str(program))

    totals = [
        int(re.findall(r"^summary: (\d+)", profile.read_text(), re.MULTILINE)[0])
        for profile in tmp_path.glob("cg.*")
    ]
    assert len(totals) == 5
    assert 84.0e6 < sum(totals) < 84.3e6


def test_a_library_is_compiled_once(tmp_path: Path) -> None:
    first = preload("flat", tmp_path, TOOLS)
    assert first is not None
    made = first.stat()

    assert preload("flat", tmp_path, TOOLS) == first
    assert first.stat() == made
    assert [*tmp_path.iterdir()] == [first]


def test_without_a_compiler_there_is_none(tmp_path: Path) -> None:
    assert preload("flat", tmp_path, {"PATH": str(tmp_path)}) is None


def test_a_compiler_that_fails_is_an_error_with_its_words(tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] || { echo no headers >&2; exit 1; }\n')
    compiler.chmod(0o755)

    with pytest.raises(MeasureError, match=r"flat\.c can't be compiled") as caught:
        preload("flat", tmp_path / "made", {"PATH": f"{tmp_path}:/usr/bin:/bin"})

    assert "no headers" in caught.value.detail
    assert "libc6-dev" in caught.value.detail
