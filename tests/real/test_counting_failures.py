"""Real programs that can't be counted: an error that says why, never a number."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from countci.process import Command
from countci.units import Seconds
from tests.real.counted import AND, CRASH, FORKS, KILLED, WIDE, WORK, Bench, bench_at

pytestmark = pytest.mark.slow


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_at(tmp_path)


def test_more_asks_that_are_no_more_work_are_an_error(bench: Bench) -> None:
    bench.compile("work", WORK)

    assert "more asks are no more work" in bench.problem("./work 3 10 {n}").problem


def test_forked_children_are_an_error_and_never_added_up(bench: Bench) -> None:
    bench.compile("forks", FORKS)
    problem = bench.problem("./forks")

    assert problem.problem == "4 forked without starting a program: they can't be counted"
    assert "in one process" in problem.detail
    assert "apt-get install gcc libc6-dev valgrind" in problem.detail


def test_a_child_that_was_killed_is_an_error(bench: Bench) -> None:
    bench.compile("killed", KILLED)

    # On a slow machine it is killed before it has even begun its own program.
    assert re.match("left no count|1 forked without", bench.problem("./killed").problem)


def test_failures_are_named_and_keep_no_other_query_from_being_counted(bench: Bench) -> None:
    bench.compile("crash", CRASH)
    bench.compile("work", WORK)
    outcomes = bench.outcomes(
        bench.request("./crash", name="crash"),
        bench.request("sh -c 'echo no such branch >&2; exit 3'", name="three"),
        bench.request("./missing", name="missing"),
        bench.request("./work 1 1", name="works"),
    )
    problems = {name: outcome.problem for name, outcome in outcomes.items() if outcome.problem}

    assert list(outcomes) == ["crash", "three", "missing", "works"]
    assert outcomes["works"].measurement is not None
    assert problems["crash"].problem == "killed by signal 11 (SIGSEGV)"
    assert problems["crash"].detail == "about to crash"
    assert (problems["three"].problem, problems["three"].detail) == (
        "exit status 3",
        "no such branch",
    )
    assert problems["missing"].problem == "no such program: ./missing"


def test_an_instruction_that_valgrind_does_not_know_is_its_limit(bench: Bench) -> None:
    bench.compile("wide", WIDE)
    problem = bench.problem("./wide")

    assert "valgrind can't run an instruction" in problem.problem
    assert "-mno-avx512f" in problem.detail


def test_debug_information_that_kills_valgrind_is_named(bench: Bench) -> None:
    bench.compile("split", AND, "-g", "-gsplit-dwarf")
    outcome = bench.outcomes(bench.request("./split"))["q"]
    if outcome.measurement:
        pytest.skip("this valgrind reads it")

    assert outcome.problem is not None
    assert "-gsplit-dwarf" in outcome.problem.detail


def test_a_query_that_takes_too_long_says_what_helps(bench: Bench) -> None:
    request = bench.request("sleep 60")
    slow = Command(argv=("sleep", "60"), env=bench.env, cwd=bench.stage, timeout=Seconds(0.04))
    problem = bench.outcomes(replace(request, asks=lambda _: slow))["q"].problem

    assert problem is not None
    assert problem.problem == "still running after 1 s"
    assert "a smaller input" in problem.detail


def test_a_shim_is_refused_with_the_real_interpreter(bench: Bench, tmp_path: Path) -> None:
    shim = tmp_path / ".pyenv" / "shims" / "python3"
    real = tmp_path / ".pyenv" / "versions" / "3.11.0" / "bin" / "python3"
    for path in (shim, real):
        path.parent.mkdir(parents=True)
        path.write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
        path.chmod(0o755)
    (tmp_path / ".pyenv" / "version").write_text("3.11.0\n")

    assert bench.problem(f"{shim} -c pass").detail == f"write {real} instead of {shim}"
    assert "shim would be counted" in bench.problem(f"sh -c 'exec {shim} -c pass'").problem
