from __future__ import annotations

from pathlib import Path

import pytest

from countci import process, timing
from countci.errors import MeasureError
from countci.model import Run
from countci.process import Command
from countci.units import Seconds

MIB = 2**20


def command(*argv: str, cwd: Path) -> Command:
    return Command(
        argv=argv, env={"PATH": "/usr/bin:/bin"}, cwd=cwd, timeout=Seconds(20.0), stdout=None
    )


def test_a_program_of_a_megabyte_reads_as_one_whatever_countci_holds(tmp_path: Path) -> None:
    assert process.own_peak() > 10 * MIB
    assert process.peak_memory(command("true", cwd=tmp_path)) < 5 * MIB


def test_what_a_program_and_its_largest_child_held_is_told(tmp_path: Path) -> None:
    line = "head -c 30000000 /dev/zero | tail -c 30000000 >/dev/null; true"
    peak = process.peak_memory(command("sh", "-c", line, cwd=tmp_path))

    assert 28 * MIB < peak < 70 * MIB


def test_it_runs_with_its_own_input_and_folder(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("hello")
    given = Command(
        argv=(
            "sh",
            "-c",
            'read word; echo "$word" > out; test "$1" = "two words"',
            "sh",
            "two words",
        ),
        env={"PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        stdin=tmp_path / "in",
    )

    process.peak_memory(given)
    assert (tmp_path / "out").read_text() == "hello\n"


def test_a_program_that_fails_or_takes_too_long_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="exit status 3") as failed:
        process.peak_memory(command("sh", "-c", "echo why >&2; exit 3", cwd=tmp_path))
    assert failed.value.detail == "why"

    endless = Command(
        argv=("sleep", "60"), env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path, timeout=Seconds(0.1)
    )
    with pytest.raises(MeasureError, match="still running"):
        process.peak_memory(endless)


@pytest.mark.parametrize(("told", "known"), [(2**40, 2**40), (7, None)])
def test_only_what_the_timed_run_cannot_tell_is_measured_apart(
    tmp_path: Path, told: int, known: int | None
) -> None:
    run = Run(wall=1.0, user=1.0, system=0.0, wait=0.0, peak_memory=told)
    found = timing.with_peak(lambda _command: run)(command("true", cwd=tmp_path))

    assert found.wall == 1.0
    if known is None:
        assert 100_000 < found.peak_memory < 5 * MIB
    else:
        assert found.peak_memory == known
