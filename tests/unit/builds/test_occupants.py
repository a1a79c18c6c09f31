from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from countci.builds import Places, recover
from countci.builds import occupants as module
from countci.builds.occupants import drive_out, occupants
from countci.errors import MeasureError

from .making import make_places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    places = make_places(tmp_path)
    places.stage.mkdir()
    return places


@pytest.fixture
def sleeper(places: Places, home: str) -> Iterator[subprocess.Popen[bytes]]:
    """Return a process of another session that works in the stage."""
    process = subprocess.Popen(
        ["sleep", "60"],
        cwd=places.stage,
        env={"HOME": home.format(places.home), "PATH": os.defpath},
        start_new_session=True,
    )
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("home", ["{}"])
def test_what_a_killed_run_left_behind_is_ended(
    places: Places, sleeper: subprocess.Popen[bytes]
) -> None:
    drive_out(places, [places.stage])

    assert sleeper.wait(10) == -9


@pytest.mark.parametrize("home", ["{}"])
def test_recovery_ends_it_wherever_its_tree_was_moved(
    places: Places, sleeper: subprocess.Popen[bytes]
) -> None:
    places.stage.rename(places.builds / "k")

    recover(places)

    assert sleeper.wait(10) == -9


@pytest.mark.parametrize("home", ["/home/me", "{}/inner"])
def test_a_users_shell_is_named_and_not_killed(
    places: Places, sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.1)

    with pytest.raises(MeasureError, match=rf"process {sleeper.pid} \(sleep\)") as caught:
        drive_out(places, [places.stage])

    assert f"kill {sleeper.pid}" in caught.value.detail
    assert sleeper.poll() is None


@pytest.mark.parametrize("home", ["/home/me"])
def test_one_that_leaves_in_time_is_waited_for(
    places: Places, sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its leaving is tied to our waiting, not to a clock.
    def leave(_: float) -> None:
        sleeper.kill()
        sleeper.wait()

    monkeypatch.setattr("countci.builds.occupants.time.sleep", leave)

    drive_out(places, [places.stage])


def test_a_program_that_was_started_from_there_is_inside_too(places: Places) -> None:
    program = places.stage / "sleep"
    program.write_bytes(Path("/bin/sleep").read_bytes())
    program.chmod(0o755)
    process = subprocess.Popen([program, "60"], cwd="/", env={})
    try:
        found = occupants([places.stage], places.home)
    finally:
        process.kill()
        process.wait()

    assert [(each.pid, each.program, each.ours) for each in found] == [
        (process.pid, "sleep", False)
    ]


def test_this_process_and_a_folder_of_a_like_name_do_not_count(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (places.root / "stage2").mkdir()
    monkeypatch.chdir(places.stage)
    process = subprocess.Popen(["sleep", "60"], cwd=places.root / "stage2")
    try:
        assert occupants([places.stage], places.home) == []
        assert len(occupants([tmp_path], places.home)) == 1
    finally:
        process.kill()
        process.wait()
