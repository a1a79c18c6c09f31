from __future__ import annotations

import errno
from pathlib import Path

import pytest

from countci.builds.moves import discard, move, renew
from countci.errors import MeasureError, UsageError

from .making import make_places
from .test_places import as_nobody  # noqa: F401 - a fixture


def test_an_empty_folder_in_the_way_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "to").mkdir()

    with pytest.raises(MeasureError, match="in the way"):
        move(tmp_path / "from", tmp_path / "to")

    assert (tmp_path / "from").is_dir()


@pytest.mark.parametrize("number", [errno.EXDEV, errno.EBUSY])
def test_another_file_system_is_an_error_and_never_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    (tmp_path / "from").mkdir()

    def refuse(path: Path, target: Path) -> None:
        raise OSError(number, "not here", str(path), None, str(target))

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(UsageError, match="can't be renamed") as caught:
        move(tmp_path / "from", tmp_path / "to")

    assert "--cache-dir" in caught.value.detail
    assert not (tmp_path / "to").exists()


def test_what_is_gone_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="No such file") as caught:
        move(tmp_path / "from", tmp_path / "to")

    assert caught.value.where == str(tmp_path / "from")


def test_a_read_only_tree_moves_all_the_same(as_nobody: Path) -> None:  # noqa: F811
    places = make_places(as_nobody)
    places.stage.mkdir()
    places.stage.chmod(0o555)

    move(places.stage, places.builds / "k")

    assert (places.builds / "k").is_dir()


def test_the_trash_takes_two_things_of_one_name_and_nothing_at_all(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    for _ in range(2):
        places.stage.mkdir()
        discard(places.stage, places)
    discard(places.stage, places)

    assert len(list(places.trash.glob("*/stage"))) == 2


def test_a_folder_is_renewed_when_something_is_in_it_or_it_is_missing(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    before = places.home.stat().st_ino

    renew(places.home, places)
    assert places.home.stat().st_ino == before

    (places.home / ".cache").mkdir()
    renew(places.home, places)
    assert list(places.home.iterdir()) == []
    assert [path.name for path in places.trash.glob("*/home/*")] == [".cache"]

    places.home.rmdir()
    renew(places.home, places)
    assert places.home.is_dir()
