from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from countci.errors import MeasureError
from countci.process import Command
from countci.timing.run import run
from countci.units import Seconds


def shell(script: str, cwd: Path, *, timeout: float = 20.0) -> Command:
    return Command(
        argv=("/bin/sh", "-c", script), env={"PATH": os.defpath}, cwd=cwd, timeout=Seconds(timeout)
    )


def test_a_run_tells_what_it_cost_and_when_it_began(tmp_path: Path) -> None:
    before = time.time()
    found = run(shell("sleep 0.02", tmp_path))

    assert found.wall >= 0.02
    assert found.core_share < 1
    assert before <= found.began <= time.time()
    assert found.peak_memory > 0


def test_output_does_not_stop_it_and_leaves_nothing_behind(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = "ls -d countci-*; yes | head -c 300000; yes | head -c 300000 >&2"
    run(shell(script, tmp_path), scratch=tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_output_goes_where_the_command_says(tmp_path: Path) -> None:
    command = shell("echo said", tmp_path)
    run(Command(argv=command.argv, env={}, cwd=tmp_path, stdout=tmp_path / "out"))

    assert (tmp_path / "out").read_text() == "said\n"


def test_a_failed_run_shows_the_end_of_its_standard_error(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="exit status 3") as found:
        run(shell("yes | head -c 9000 >&2; echo the end >&2; exit 3", tmp_path))

    assert found.value.detail.endswith("the end")
    assert len(found.value.detail) <= 2000


def test_a_killed_run_names_the_signal(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="SIGSEGV"):
        run(shell("kill -SEGV $$", tmp_path))


def test_numbers_are_read_from_what_a_run_prints(tmp_path: Path) -> None:
    command = shell("echo 5; echo 7 >&2", tmp_path)

    def told(text: str) -> dict[str, float]:
        return {"rate": float(text)}

    assert run(command, told=told).values == {"rate": 5}
    assert run(command, told=told, source="stderr").values == {"rate": 7}
    assert run(command).values == {}


def test_output_that_can_not_be_read_names_the_command(tmp_path: Path) -> None:
    def told(text: str) -> dict[str, float]:
        raise MeasureError("no rate", detail=text)

    with pytest.raises(MeasureError, match="no rate") as found:
        run(shell("echo nothing", tmp_path), told=told)

    assert "echo nothing" in found.value.where
    assert found.value.detail == "nothing\n"


def test_a_log_is_no_output_to_look_for_numbers_in(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match=r"16,777,217 bytes"):
        run(shell("yes | head -c 16777217", tmp_path), told=lambda _: {"rate": 1.0})
