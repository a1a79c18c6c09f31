from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from countci.storing import results


def files(contents: dict[str, bytes]) -> Callable[[Path], None]:
    """Return what writes `contents` into a folder."""

    def fill(folder: Path) -> None:
        for name, content in contents.items():
            (folder / name).write_bytes(content)

    return fill


def test_a_run_leaves_its_files_and_git_does_not_see_them(tmp_path: Path) -> None:
    folder = tmp_path / ".countci" / "results"

    place = results.write(folder, "run", files({"a.json": b"{}", "b.txt": b"b"}))

    assert {path.name: path.read_bytes() for path in place.iterdir()} == {
        "a.json": b"{}",
        "b.txt": b"b",
    }
    assert (tmp_path / ".countci" / ".gitignore").read_text() == "*\n"


def test_two_runs_of_one_name_keep_both(tmp_path: Path) -> None:
    first = results.write(tmp_path / "r", "run", files({"a": b"1"}))
    second = results.write(tmp_path / "r", "run", files({"a": b"2"}))

    assert first != second
    assert (first / "a").read_bytes() == b"1"


def test_a_run_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no/such"):
        results.write(tmp_path / "r", "run", files({"a": b"1", "no/such": b"2"}))

    assert list((tmp_path / "r").iterdir()) == []


def test_what_a_killed_run_left_half_done_goes(tmp_path: Path) -> None:
    draft = tmp_path / "r" / ".run.999999999"
    draft.mkdir(parents=True)

    results.write(tmp_path / "r", "next", files({}))

    assert not draft.exists()


def test_only_the_latest_runs_are_kept(tmp_path: Path) -> None:
    for number in range(53):
        results.write(tmp_path / "r", f"run-{number:02}", files({}))

    names = sorted(path.name for path in (tmp_path / "r").iterdir())
    assert names[0] == "run-03"
    assert len(names) == 50


def test_a_file_is_replaced_at_once(tmp_path: Path) -> None:
    path = tmp_path / "report.md"

    results.write_file(path, b"one")
    results.write_file(path, b"two")

    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]
