from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from countci.builds import manifest
from countci.builds.manifest import size
from countci.errors import MeasureError

from .making import make_tree
from .test_places import as_nobody  # noqa: F401 - a fixture


def test_each_kind_of_thing_says_what_it_is(tmp_path: Path) -> None:
    make_tree({"a/file": "x", "program": "x"})(tmp_path)
    (tmp_path / "program").chmod(0o755)
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "folder").symlink_to("a")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "fifo")

    found = manifest(tmp_path)

    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    assert found == {
        "a/file": f"file {digest}",
        "empty": "folder",
        "fifo": "fifo",
        "folder": "link a",
        "link": "link nowhere",
        "program": f"program {digest}",
    }
    assert list(found) == sorted(found)


def test_git_is_left_out_at_the_top_and_only_there(tmp_path: Path) -> None:
    make_tree({".git/index": "1", "nested/.git/index": "1", "nested/a": "1", ".gitignore": "*"})(
        tmp_path
    )

    assert set(manifest(tmp_path)) == {".gitignore", "nested/.git/index", "nested/a"}


def test_only_the_artifacts_are_taken_when_there_are_some(tmp_path: Path) -> None:
    make_tree({"out/a": "1", "out/b/c": "1", "src": "1", "program": "1"})(tmp_path)
    (tmp_path / "none").mkdir()

    assert set(manifest(tmp_path, ["./out/", "program", "none"])) == {
        *("out/a", "out/b/c", "program", "none")
    }


@pytest.mark.parametrize(
    ("artifact", "problem"),
    [("missing", "didn't make"), ("..", "outside"), ("/etc/passwd", "outside")],
)
def test_an_artifact_that_is_not_there_is_named(
    tmp_path: Path, artifact: str, problem: str
) -> None:
    with pytest.raises(MeasureError, match=problem) as caught:
        manifest(tmp_path, [artifact])

    assert artifact in caught.value.where


def test_a_name_that_is_not_utf8_can_be_written_as_json(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff")).write_text("")
    Path(tmp_path, "é").symlink_to(os.fsdecode(b"b\xfe"))

    found = manifest(tmp_path)

    assert set(found) == {"a\\xff", "é"}
    assert found["é"] == "link b\\xfe"


def test_what_cannot_be_read_is_said_to_be_so(as_nobody: Path) -> None:  # noqa: F811
    tree = Path(tempfile.mkdtemp(dir=as_nobody))
    make_tree({"file": "1", "shut/a": "1", "names/a": "1"})(tree)
    (tree / "file").chmod(0)
    (tree / "shut").chmod(0)
    (tree / "names").chmod(0o444)

    assert manifest(tree) == dict.fromkeys(["file", "names", "shut"], "unreadable")

    for name in ("shut", "names"):
        (tree / name).chmod(0o700)


def test_the_size_is_that_on_the_disk_with_hard_links_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100_000)
    alone = size(tmp_path)
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c").write_bytes(b"x" * 100_000)

    assert 100_000 <= alone < 150_000
    assert 200_000 <= size(tmp_path) < 250_000
