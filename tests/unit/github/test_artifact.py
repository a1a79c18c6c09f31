from __future__ import annotations

import os
from pathlib import Path

import pytest

from countci.errors import MeasureError
from countci.github.artifact import BIGGEST, read_artifact


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "artifact"
    made.mkdir()
    (made / "result.json").write_bytes(b"{}")
    return made


def test_the_one_file_of_a_folder_is_read_and_a_file_by_itself(folder: Path) -> None:
    assert read_artifact(folder) == b"{}"
    assert read_artifact(folder / "result.json") == b"{}"


@pytest.mark.parametrize("name", ["other.json", ".hidden", "Result.json"])
def test_a_second_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).touch()

    with pytest.raises(MeasureError, match=r"holds 1 more than result\.json"):
        read_artifact(folder)


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("{}")
    (folder / "result.json").unlink()
    (folder / "result.json").symlink_to(secret)
    (tmp_path / "linked").symlink_to(folder)

    for path in (folder, folder / "result.json", tmp_path / "linked"):
        with pytest.raises(MeasureError, match="symbolic links"):
            read_artifact(path)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused_and_not_waited_for(folder: Path, kind: str) -> None:
    path = folder / "result.json"
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()

    with pytest.raises(MeasureError, match=r"regular file|directory"):
        read_artifact(folder)


def test_a_folder_without_it_or_none_at_all_is_said(folder: Path) -> None:
    (folder / "result.json").unlink()

    for path in (folder, folder / "none"):
        with pytest.raises(MeasureError, match="left no result"):
            read_artifact(path)


@pytest.mark.parametrize("more", [0, 1])
def test_five_mebibytes_are_enough(folder: Path, more: int) -> None:
    with (folder / "result.json").open("wb") as file:
        file.truncate(BIGGEST + more)

    if more:
        with pytest.raises(MeasureError, match=r"more than 5,242,880 bytes"):
            read_artifact(folder)
    else:
        assert len(read_artifact(folder)) == BIGGEST
