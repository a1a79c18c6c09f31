from __future__ import annotations

import os
from pathlib import Path

import pytest

from countci import process
from countci.errors import MeasureError
from countci.process import Command

ASKS = "import os; print(sorted(os.sched_getaffinity(0)))"
ALLOWED = sorted(os.sched_getaffinity(0))


def command(tmp_path: Path, *cpus: int, out: Path | None = None) -> Command:
    python = os.path.realpath("/proc/self/exe")
    return Command(argv=(python, "-I", "-c", ASKS), env={}, cwd=tmp_path, cpus=cpus, stdout=out)


def test_a_program_runs_where_it_is_told_and_countci_does_not_move(tmp_path: Path) -> None:
    last = ALLOWED[-1]

    done = process.run(command(tmp_path, last))

    assert done.stdout.decode().strip() == f"[{last}]"
    assert sorted(os.sched_getaffinity(0)) == ALLOWED


def test_a_timed_program_does_too(tmp_path: Path) -> None:
    out, last = tmp_path / "out", ALLOWED[-1]

    spent = process.timed(command(tmp_path, last, out=out))

    assert spent.status == 0
    assert out.read_text().strip() == f"[{last}]"
    assert sorted(os.sched_getaffinity(0)) == ALLOWED


def test_a_program_that_is_told_nothing_runs_anywhere(tmp_path: Path) -> None:
    assert process.run(command(tmp_path)).stdout.decode().strip() == str(ALLOWED)


def test_a_hardware_thread_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="hardware threads 1023 can't be used"):
        process.run(command(tmp_path, 1023))

    assert sorted(os.sched_getaffinity(0)) == ALLOWED
