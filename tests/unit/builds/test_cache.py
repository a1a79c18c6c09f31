from __future__ import annotations

import os
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from countci.builds import Cache, Places, Stage, manifest
from countci.builds import marker as markers
from countci.errors import MeasureError
from countci.model import Recipe
from countci.units import Seconds

from .making import make_finished, make_order, make_places, make_revision


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return make_places(tmp_path)


@pytest.fixture
def cache(places: Places) -> Cache:
    return Cache(places, Stage(places))


def built(places: Places) -> set[str]:
    trees = [places.stage, *places.builds.iterdir()]
    return {marker.key for tree in trees if (marker := markers.read(tree))}


def test_a_build_is_made_at_the_stage_and_stays_there(places: Places, cache: Cache) -> None:
    build = cache.build(make_order("a", "sh -c 'pwd > out; echo hello'", "mkdir empty"))

    assert cache.stage.current == "a"
    assert (places.stage / "out").read_text() == f"{places.stage}\n"
    assert build.manifest == manifest(places.stage)
    assert set(build.manifest) == {"name", "out", "empty"}
    assert build.key == "a"
    assert build.revision == make_revision()
    assert not build.cached
    assert "hello\n" in cache.log("a").read_text()
    assert list(places.work.iterdir()) == []


def test_a_known_build_is_returned_without_a_check_out(cache: Cache) -> None:
    first = cache.build(make_order("a", "touch out"))
    cache.build(make_order("b", "touch out"))

    def fail(_: Path) -> None:
        raise AssertionError("checked out again")

    for at in ("a", "b"):
        cache.stage.bring(at)
        order = replace(make_order("a", "touch out"), make_tree=fail)
        again = cache.build(order)
        assert again == msgspec.structs.replace(first, cached=True)
        assert cache.stage.current == at


def test_a_recipe_without_commands_is_a_build(cache: Cache) -> None:
    assert set(cache.build(make_order("a", files={"m.py": "", "n.py": ""})).manifest) == {
        *("m.py", "n.py")
    }


def test_artifacts_are_all_that_is_compared(cache: Cache) -> None:
    recipe = Recipe(commands=("touch out log",), artifacts=("out",))

    assert set(cache.build(make_order("a", recipe=recipe)).manifest) == {"out"}


@pytest.mark.parametrize(
    ("recipe", "problem"),
    [
        (Recipe(commands=("touch half", "false")), "exit status 1"),
        (Recipe(commands=("no-such-program",)), "can't be started"),
        (Recipe(commands=("touch half",), artifacts=("whole",)), "didn't make this artifact"),
        (Recipe(commands=("sleep 60",), timeout=Seconds(0.1)), "still running"),
    ],
)
def test_a_failed_build_leaves_nothing_but_its_log_and_the_other_builds(
    places: Places, cache: Cache, recipe: Recipe, problem: str
) -> None:
    other = cache.build(make_order("a", "touch out"))

    with pytest.raises(MeasureError, match=problem):
        cache.build(make_order("b", recipe=recipe))

    assert built(places) == {"a"}
    assert not places.stage.exists()
    assert cache.log("b").exists()
    assert cache.build(make_order("a")).manifest == other.manifest
    with pytest.raises(MeasureError, match=problem):
        cache.build(make_order("b", recipe=recipe))


def test_an_interrupted_check_out_leaves_nothing(places: Places, cache: Cache) -> None:
    def interrupt(tree: Path) -> None:
        tree.mkdir()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.build(replace(make_order("a"), make_tree=interrupt))

    assert not places.stage.exists()
    assert built(places) == set()


def test_a_build_whose_manifest_is_damaged_is_made_again(places: Places, cache: Cache) -> None:
    first = cache.build(make_order("a", "touch out"))
    (places.stage / ".git" / "countci-manifest.json").write_text("{}")

    again = cache.build(make_order("a", "touch out"))

    assert not again.cached
    assert again.manifest == first.manifest


def test_a_build_sees_an_empty_home_and_temporary_folder_each_time(
    places: Places, cache: Cache
) -> None:
    command = f"sh -c 'ls -A {places.home} {places.temporary} > seen; touch {places.home}/x'"
    command = command.replace("; touch", f"; touch {places.temporary}/y")

    first = cache.build(make_order("a", command, files={"m": ""}))
    second = cache.build(make_order("b", command, files={"m": ""}))

    assert first.manifest == second.manifest
    assert list(places.home.iterdir()) == []


def test_what_a_build_leaves_running_is_ended(places: Places, cache: Cache) -> None:
    daemon = (
        "import os, time; os.setsid(); open('pid', 'w').write(str(os.getpid())); time.sleep(99)"
    )
    wait = "while [ ! -s pid ]; do sleep 0.01; done"
    cache.build(make_order("a", f'sh -c "python3 -c \\"{daemon}\\" & {wait}"'))

    pid = int((places.stage / "pid").read_text())
    assert not Path(f"/proc/{pid}").exists()


def fill(cache: Cache, *sizes: int) -> None:
    """Make builds `0`, `1`, ... of these sizes, used in that order; the last is on stage."""
    for number, size in enumerate(sizes):
        make_finished(cache.stage, str(number), size)
        cache.log(str(number)).write_text("")
        path = cache.places.stage / ".git" / "countci.json"
        os.utime(path, ns=(number, number))


@pytest.mark.parametrize(
    ("limit", "keep", "gone"),
    [
        (100, "", ()),
        (99, "", ("0",)),
        (60, "", ("0", "1")),
        (0, "", ("0", "1", "2")),
        (60, "0", ("1", "2")),
        (0, "012", ()),
    ],
)
def test_the_oldest_goes_first_and_what_is_in_use_never(
    places: Places, cache: Cache, limit: int, keep: Container[str], gone: tuple[str, ...]
) -> None:
    fill(cache, 30, 20, 40, 10)

    assert cache.prune(limit, keep) == gone

    assert built(places) == {"0", "1", "2", "3"} - set(gone)
    assert {log.stem for log in places.logs.iterdir()} == built(places)
    assert not {path.name for path in places.works.iterdir()} & set(gone)


def test_using_a_build_makes_it_the_youngest(cache: Cache) -> None:
    fill(cache, 10, 10, 10)

    cache.build(make_order("0"))

    assert cache.prune(20, "") == ("1",)


def test_the_logs_of_failed_builds_are_kept_for_a_while(cache: Cache) -> None:
    fill(cache, 10)
    for number in range(100, 130):
        cache.log(str(number)).write_text("")
        os.utime(cache.log(str(number)), ns=(number, number))

    cache.prune(100, "")

    left = {log.stem for log in cache.places.logs.iterdir()}
    assert left == {"0", *map(str, range(110, 130))}


def test_the_recorded_size_is_that_of_the_tree(places: Places, cache: Cache) -> None:
    cache.build(make_order("a", "truncate -s 0 empty", "dd if=/dev/zero of=big bs=1024 count=100"))

    marker = markers.read(places.stage)
    assert marker is not None
    assert 100 * 1024 <= marker.size < 200 * 1024
