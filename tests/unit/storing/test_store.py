from __future__ import annotations

import contextlib
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from countci.errors import MeasureError
from countci.model import Again, Counts, Measurement, Output, Point, ReadSet
from countci.storing import Store


def measured(build: str = "b1", n: tuple[int, ...] = (10, 20), total: int = 1000) -> Measurement:
    points = tuple(Point(n=each, total=total * each) for each in n)
    return Measurement(
        query="bank/field",
        build=build,
        fingerprint="f1",
        counts={"instructions": Counts(points=points)},
        output=Output(digest="d", size=3),
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.sqlite")


def test_what_was_kept_is_known_and_says_that_it_was(store: Store) -> None:
    store.keep((measured(), "q1"))

    found = store.known("b1", "q1", "f1")

    assert found is not None
    assert found.stored
    assert found.counts == measured().counts


@pytest.mark.parametrize(
    ("build", "query", "fingerprint"), [("b2", "q1", "f1"), ("b1", "q2", "f1"), ("b1", "q1", "f2")]
)
def test_another_build_query_or_fingerprint_is_not_known(
    store: Store, build: str, query: str, fingerprint: str
) -> None:
    store.keep((measured(), "q1"))

    assert store.known(build, query, fingerprint) is None


def test_counts_at_other_points_are_not_the_ones_asked_for(store: Store) -> None:
    store.keep((measured(n=(10, 20)), "q1"))

    assert store.known("b1", "q1", "f1", (10, 40)) is None
    assert store.known("b1", "q1", "f1", (10, 20)) is not None


def test_the_latest_of_several_is_taken_when_any_points_do(store: Store) -> None:
    store.keep((measured(n=(10, 20)), "q1"))
    store.keep((measured(n=(10, 40)), "q1"))

    found = store.known("b1", "q1", "f1")

    assert found is not None
    assert [point.n for point in found.counts["instructions"].points] == [10, 40]


def test_counts_made_with_a_library_that_changed_since_are_not_known(
    store: Store, tmp_path: Path
) -> None:
    library, other = tmp_path / "libc.so", tmp_path / "gone.so"
    library.write_text("one")
    outside = (str(library), str(other))
    reads = ReadSet(paths=(), outside=outside)
    store.keep((msgspec.structs.replace(measured(), reads=reads), "q1"))
    assert store.known("b1", "q1", "f1") is not None

    os.utime(library, ns=(0, library.stat().st_mtime_ns + 1))
    assert store.known("b1", "q1", "f1") is None

    store.keep((msgspec.structs.replace(measured(), reads=reads), "q1"))
    assert store.known("b1", "q1", "f1") is not None
    other.write_text("")
    assert store.known("b1", "q1", "f1") is None


def test_counts_made_with_other_processors_are_not_known(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.keep((measured(), "q1"))
    assert store.known("b1", "q1", "f1") is not None

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(100)))

    assert store.known("b1", "q1", "f1") is None


def test_counts_made_by_way_of_a_link_that_leads_elsewhere_now_are_not_known(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "tool").symlink_to("tool-1")
    reads = ReadSet(paths=(), outside=(f"{tmp_path}/tool",))
    store.keep((msgspec.structs.replace(measured(), reads=reads), "q1"))
    assert store.known("b1", "q1", "f1") is not None

    (tmp_path / "tool").unlink()
    (tmp_path / "tool").symlink_to("tool-1")  # as a job of a CI makes it anew
    assert store.known("b1", "q1", "f1") is not None

    (tmp_path / "tool").unlink()
    (tmp_path / "tool").symlink_to("tool-2")

    assert store.known("b1", "q1", "f1") is None


def test_counts_made_with_a_folder_that_has_other_names_now_are_not_known(
    store: Store, tmp_path: Path
) -> None:
    modules = tmp_path / "modules"
    modules.mkdir()
    reads = ReadSet(paths=(), outside=(f"{modules}/", str(modules)))
    store.keep((msgspec.structs.replace(measured(), reads=reads), "q1"))
    assert store.known("b1", "q1", "f1") is not None

    (modules / "faster.py").write_text("")

    assert store.known("b1", "q1", "f1") is None


def test_what_was_counted_again_is_known_with_the_count(store: Store) -> None:
    counts = Counts(
        points=(Point(n=1, total=9),), again=(Again(points=(Point(n=1, total=8),), seed=2),)
    )
    store.keep((msgspec.structs.replace(measured(), counts={"instructions": counts}), "q1"))

    found = store.known("b1", "q1", "f1")

    assert found is not None
    assert found.counts["instructions"] == counts


def test_many_writers_at_once_lose_nothing(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: store.keep((measured(build=f"b{i}"), "q")), range(60)))

    assert all(store.known(f"b{i}", "q", "f1") for i in range(60))


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite format 3\0" + b"x" * 200])
def test_a_damaged_file_is_set_aside_and_not_lost(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(content)

    store = Store(path)
    store.keep((measured(), "q1"))

    assert store.known("b1", "q1", "f1") is not None
    assert [each.read_bytes() for each in tmp_path.glob("store.unreadable-*")] == [content]


def test_a_store_of_another_version_is_a_miss(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    Store(path).keep((measured(), "q1"))
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("pragma user_version = 99")

    assert Store(path).known("b1", "q1", "f1") is None


def test_a_row_that_no_longer_decodes_is_a_miss(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    Store(path).keep((measured(), "q1"))
    database = sqlite3.connect(path)
    with database:
        database.execute("update measurement set body = '{}'")
    database.close()

    assert Store(path).known("b1", "q1", "f1") is None


def test_a_store_that_is_locked_is_an_error_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite"
    Store(path).keep((measured(), "q1"))
    monkeypatch.setattr("countci.storing.store._WAIT", 0.01)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("begin immediate")
        with pytest.raises(MeasureError, match="database is locked") as caught:
            Store(path).keep((measured(build="b2"), "q2"))

    assert caught.value.where == str(path)
    assert Store(path).known("b1", "q1", "f1") is not None
    assert list(tmp_path.glob("store.unreadable-*")) == []


def test_a_store_whose_folder_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="unable to open"):
        Store(tmp_path / "gone" / "store.sqlite").keep((measured(), "q1"))


def test_many_are_kept_at_once_or_none_of_them(store: Store) -> None:
    store.keep((measured(build="b1"), "q1"), (measured(build="b2"), "q2"))

    with pytest.raises(sqlite3.Error):
        store.keep((measured(build="b3"), "q3"), (measured(), None))  # type: ignore[arg-type]

    assert store.known("b1", "q1", "f1")
    assert store.known("b2", "q2", "f1")
    assert store.known("b3", "q3", "f1") is None


def test_many_builds_are_known_by_one_question(store: Store) -> None:
    store.keep((measured("b1"), "q1"), (measured("b2", n=(1, 2)), "q1"), (measured("b3"), "q1"))
    store.keep((measured("b2", n=(3, 4)), "q1"), (measured("b2"), "q2"))

    found = store.known_of(["b1", "b2", "b9"], ["q1"])

    assert found.keys() == {("b1", "q1"), ("b2", "q1")}
    firsts = [each.counts["instructions"].points[0].n for each in found["b2", "q1"]]
    assert firsts == [3, 1]  # latest use first
    assert all(each.stored for each in found["b1", "q1"])


def test_one_of_many_whose_library_changed_is_not_known(store: Store, tmp_path: Path) -> None:
    library = tmp_path / "libc.so"
    library.write_text("one")
    reads = ReadSet(paths=(), outside=(str(library),))
    store.keep((msgspec.structs.replace(measured("b1"), reads=reads), "q1"), (measured("b2"), "q1"))

    os.utime(library, ns=(0, library.stat().st_mtime_ns + 1))

    assert store.known_of(["b1", "b2"], ["q1"]).keys() == {("b2", "q1")}
