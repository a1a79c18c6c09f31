from __future__ import annotations

from pathlib import Path

import pytest

from countci.builds import Places, Stage, empty_trash, recover
from countci.builds import marker as markers
from countci.builds.marker import Marker

from .making import make_finished, make_places, make_tree
from .test_places import as_nobody  # noqa: F401 - a fixture


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return make_places(tmp_path)


def builds(places: Places) -> set[str]:
    return {path.name for path in places.builds.iterdir()}


def test_a_finished_build_on_stage_goes_home(places: Places) -> None:
    make_finished(Stage(places), "a")

    recover(places)

    assert builds(places) == {"a"}
    assert not places.stage.exists()
    assert not places.work.exists()


def test_half_of_a_build_goes_to_the_trash(places: Places) -> None:
    make_tree({"name": "a", ".git/countci.json.tmp": "{"})(places.stage)

    recover(places)

    assert builds(places) == set()
    assert not places.stage.exists()
    assert len(list(places.trash.glob("*/stage/name"))) == 1


def test_a_stage_whose_place_is_taken_goes_to_the_trash(places: Places) -> None:
    stage = Stage(places)
    make_finished(stage, "a")
    stage.clear()
    make_tree({"name": "second"})(places.stage)
    markers.write(places.stage, Marker(key="a", seconds=0.0, size=1), {})

    recover(places)

    assert (places.builds / "a" / "name").read_text() == "a"
    assert not places.stage.exists()


@pytest.mark.parametrize("text", [None, "", "{}", "[1]", "\0", '{"key": "b"}'])
def test_a_folder_without_a_marker_of_its_name_is_no_build(
    places: Places, text: str | None
) -> None:
    make_tree({"name": "x"} | ({".git/countci.json": text} if text is not None else {}))(
        places.builds / "x"
    )
    make_finished(Stage(places), "a")

    recover(places)

    assert builds(places) == {"a"}


def test_a_build_under_the_name_of_another_is_none(places: Places) -> None:
    stage = Stage(places)
    make_finished(stage, "a")
    stage.clear()
    (places.builds / "a").rename(places.builds / "b")

    recover(places)

    assert builds(places) == set()


def test_what_a_run_left_in_its_folders_goes(places: Places) -> None:
    make_finished(Stage(places), "a")
    for folder in (places.work, places.works / "a", places.runs / "r", places.home):
        make_tree({"left": "over"})(folder)

    recover(places)

    assert not places.work.exists()
    for folder in (places.works, places.runs, places.home):
        assert list(folder.iterdir()) == []


def test_recovering_twice_changes_nothing_more(places: Places) -> None:
    make_finished(Stage(places), "a")
    recover(places)
    before = sorted(places.root.rglob("*"))

    recover(places)

    assert sorted(places.root.rglob("*")) == before


def test_the_trash_is_emptied_of_read_only_folders_too(as_nobody: Path) -> None:  # noqa: F811
    places = make_places(as_nobody)
    module = places.trash / "t" / "stage" / "go" / "module"
    make_tree({"file": "x"})(module)
    (module / "link").symlink_to(places.home)
    for path in (module, module.parent, module.parent.parent):
        path.chmod(0o555)

    empty_trash(places)

    assert list(places.trash.iterdir()) == []
    assert places.home.is_dir()
