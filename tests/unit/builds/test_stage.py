from __future__ import annotations

from pathlib import Path

import pytest

from countci.builds import Places, Stage
from countci.errors import MeasureError

from .making import make_finished, make_places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return make_places(tmp_path)


@pytest.fixture
def stage(places: Places) -> Stage:
    """Builds `a` and `b`, each with a file in its work folder; `b` on stage."""
    stage = Stage(places)
    for key in ("a", "b"):
        make_finished(stage, key)
        (places.work / "data").write_text(key)
    return stage


def on_stage(places: Places) -> tuple[str, str]:
    return (places.stage / "name").read_text(), (places.work / "data").read_text()


def test_nothing_is_on_an_empty_stage(places: Places) -> None:
    assert Stage(places).current is None


def test_the_stage_knows_what_was_on_it_before(places: Places, stage: Stage) -> None:
    assert Stage(places).current == stage.current == "b"


@pytest.mark.parametrize("method", ["bring", "swap"])
def test_a_build_comes_with_its_work_and_the_other_waits(
    places: Places, stage: Stage, method: str
) -> None:
    for key in ("a", "b", "b", "a"):
        getattr(stage, method)(key)

        assert stage.current == key
        assert on_stage(places) == (key, key)
        other = {"a": "b", "b": "a"}[key]
        assert [path.name for path in places.builds.iterdir()] == [other]
        assert [path.name for path in places.works.iterdir()] == [other]


def test_a_build_without_work_gets_an_empty_folder(places: Places, stage: Stage) -> None:
    (places.works / "a" / "data").unlink()
    (places.works / "a").rmdir()

    stage.bring("a")

    assert list(places.work.iterdir()) == []


def test_an_unknown_build_leaves_the_stage_as_it_is(places: Places, stage: Stage) -> None:
    with pytest.raises(MeasureError, match="no such build"):
        stage.bring("c")

    assert stage.current == "b"
    assert on_stage(places) == ("b", "b")


def test_clearing_takes_a_finished_build_home(places: Places, stage: Stage) -> None:
    stage.clear()

    assert stage.current is None
    assert not places.stage.exists()
    assert not places.work.exists()
    assert {path.name for path in places.builds.iterdir()} == {"a", "b"}


def test_clearing_throws_half_of_a_build_away(places: Places, stage: Stage) -> None:
    stage.clear()
    places.stage.mkdir()
    places.work.mkdir()

    stage.clear()

    assert not places.stage.exists()
    assert not places.work.exists()
    assert {path.name for path in places.builds.iterdir()} == {"a", "b"}


def test_what_is_dropped_is_in_no_place_where_it_could_be_used(
    places: Places, stage: Stage
) -> None:
    stage.drop()

    assert stage.current is None
    assert not places.stage.exists()
    assert [path.name for path in places.builds.iterdir()] == ["a"]


def test_a_build_in_the_way_of_the_way_home_is_not_replaced(places: Places, stage: Stage) -> None:
    (places.builds / "b").mkdir()

    with pytest.raises(MeasureError, match="in the way"):
        stage.clear()

    assert (places.stage / "name").read_text() == "b"


def test_what_one_side_wrote_into_home_is_gone_for_the_other(places: Places, stage: Stage) -> None:
    (places.home / ".cache").mkdir()

    stage.bring("a")

    assert list(places.home.iterdir()) == []
