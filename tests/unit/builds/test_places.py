from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from countci.builds import Places, locate, prepare
from countci.errors import UsageError


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """Return a folder of our own, as a user whom file modes bind."""
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, 65534, 65534)
        os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def test_every_folder_is_made_but_stage_and_work(tmp_path: Path) -> None:
    places = prepare(Places(tmp_path / "a" / "cache"))

    assert {path.name for path in places.root.iterdir()} == {
        *("builds", "works", "queries", "home", "sources", "runs", "logs", "trash")
    }
    assert places.root.stat().st_mode & 0o077 == 0


def test_a_link_on_the_way_is_resolved_since_programs_see_the_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    assert prepare(Places(tmp_path / "link" / "c")).root == tmp_path / "real" / "c"


def test_two_repositories_have_two_places_and_one_has_one(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "a").mkdir()

    assert locate(cache, tmp_path / "a") == locate(cache, tmp_path / "link")
    assert locate(cache, tmp_path / "a") != locate(cache, tmp_path / "b")
    assert len(locate(cache, tmp_path / "a").root.name) == 12


@pytest.mark.parametrize("inner", [".", ".cache/countci"])
def test_places_inside_the_checkout_are_refused(tmp_path: Path, inner: str) -> None:
    with pytest.raises(UsageError, match="inside the checkout") as caught:
        prepare(Places(tmp_path / "repo" / inner), tmp_path / "repo")

    assert "--cache-dir" in caught.value.detail
    assert not (tmp_path / "repo").exists()


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match="can't be written: Not a directory"):
        prepare(Places(tmp_path / "file" / "cache"))


def test_a_folder_that_forbids_writing_is_refused(as_nobody: Path) -> None:
    places = prepare(Places(as_nobody / "cache"))
    places.builds.chmod(0o555)

    with pytest.raises(UsageError, match="can't be written"):
        prepare(places)


def test_a_mount_point_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = prepare(Places(tmp_path / "cache"))
    places.stage.mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path == places.stage)

    with pytest.raises(UsageError, match="is a mount point") as caught:
        prepare(places)

    assert f"umount {places.stage}" in caught.value.detail
