from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.revisions import (
    changed_paths,
    export,
    list_files,
    read_file,
    resolve,
    tree_digest,
)
from countci.revisions.objects import quoted, unquoted
from tests.unit.revisions.conftest import Git, state

ODD = ("with space.txt", "line\nbreak", 'tab\tand "quote"', "ünïcødé", os.fsdecode(b"\xff\xfe"))


@pytest.fixture
def queries(git: Git, project: Path) -> Path:
    """Return the project with a folder of odd names, a script and a link."""
    folder = project / "queries"
    (folder / "data").mkdir(parents=True)
    for name in ODD:
        (folder / "data" / name).write_text(name, errors="surrogateescape")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("data/ünïcødé")
    git.commit(project, "Queries")
    return project


def test_a_file_is_read_as_it_was_in_that_revision(git: Git, project: Path) -> None:
    repository = git.open(project)

    assert read_file(repository, resolve(repository, "HEAD~2"), "a.txt") == b"1\n"
    assert read_file(repository, resolve(repository, "HEAD"), "a.txt") == b"3\n"
    assert read_file(repository, resolve(repository, "HEAD"), "src/b.txt") == b"b\n"


@pytest.mark.parametrize("path", ["none.txt", "src", "src/none", "a.txt/none", ".", "A.TXT"])
def test_what_is_no_file_reads_as_none(git: Git, project: Path, path: str) -> None:
    repository = git.open(project)

    assert read_file(repository, resolve(repository, "HEAD"), path) is None


@pytest.mark.parametrize("path", ["/etc/passwd", "../a.txt", "src/../../a.txt"])
def test_a_path_that_leads_outside_is_an_error(git: Git, project: Path, path: str) -> None:
    repository = git.open(project)

    with pytest.raises(UsageError, match="not a path inside"):
        read_file(repository, resolve(repository, "HEAD"), path)


def test_files_are_listed_from_the_root_whatever_their_names(git: Git, queries: Path) -> None:
    repository = git.open(queries)

    listed = list_files(repository, resolve(repository, "HEAD"), "queries")

    names = [f"data/{name}" for name in ODD] + ["run.sh", "link"]
    assert listed == tuple(sorted(f"queries/{name}" for name in names))
    assert list_files(repository, resolve(repository, "HEAD~1"), "queries") == ()


def test_an_export_has_contents_modes_and_links(git: Git, queries: Path, tmp_path: Path) -> None:
    repository = git.open(queries)

    export(repository, resolve(repository, "HEAD"), "queries", tmp_path / "out/queries")

    out = tmp_path / "out/queries"
    assert {path.name for path in (out / "data").iterdir()} == set(ODD)
    assert (out / "link").readlink() == Path("data/ünïcødé")
    assert (out / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (out / "data/ünïcødé").stat().st_mode & 0o777 == 0o644
    assert {path.lstat().st_mtime for path in out.rglob("*") if not path.is_dir()} == {1e9}


def test_an_export_of_the_whole_tree_and_of_nothing(
    git: Git, project: Path, tmp_path: Path
) -> None:
    repository = git.open(project)
    head = resolve(repository, "HEAD")

    export(repository, head, ".", tmp_path / "all")
    export(repository, head, "nowhere", tmp_path / "none")

    assert (tmp_path / "all/src/b.txt").read_text() == "b\n"
    assert list((tmp_path / "none").iterdir()) == []


def test_changed_paths_are_those_of_both_sides(git: Git, project: Path) -> None:
    git(project, "mv", "src/b.txt", "src/ünï\nc.txt")
    (project / "a.txt").chmod(0o755)
    git.commit(project, "Renamed, and one mode")
    repository = git.open(project)
    base, head = resolve(repository, "HEAD~1"), resolve(repository, "HEAD")

    assert changed_paths(repository, base, head) == ("a.txt", "src/b.txt", "src/ünï\nc.txt")
    assert changed_paths(repository, head, head) == ()


@pytest.mark.parametrize(
    ("paths", "same"),
    [((), False), (("a.txt",), False), (("src",), True), (("src/",), True), (("none",), True)],
)
def test_a_digest_changes_with_what_lies_at_its_paths(
    git: Git, project: Path, paths: tuple[str, ...], *, same: bool
) -> None:
    repository = git.open(project)

    digests = [
        tree_digest(repository, resolve(repository, name), paths) for name in ("HEAD", "HEAD~1")
    ]

    assert (digests[0] == digests[1]) is same


def test_a_digest_tells_modes_and_absent_paths_apart(git: Git, project: Path) -> None:
    (project / "src/b.txt").chmod(0o755)
    git.commit(project, "Executable")
    git(project, "rm", "-r", "--quiet", "src")
    git.commit(project, "Gone")
    repository = git.open(project)

    digests = {
        tree_digest(repository, resolve(repository, name), ["src/b.txt"])
        for name in ("HEAD", "HEAD~1", "HEAD~2")
    }

    assert len(digests) == 3


def test_the_order_of_the_paths_does_not_matter(git: Git, project: Path) -> None:
    repository = git.open(project)
    head = resolve(repository, "HEAD")

    one = tree_digest(repository, head, ["src", "a.txt"])

    assert one == tree_digest(repository, head, ["a.txt", "src", "./src/"])
    assert one != tree_digest(repository, head, ["src"])


def test_reading_leaves_the_repository_as_it_was(git: Git, queries: Path, tmp_path: Path) -> None:
    before = state(queries)
    repository = git.open(queries)
    head = resolve(repository, "HEAD")

    export(repository, head, ".", tmp_path / "out")
    changed_paths(repository, resolve(repository, "HEAD~2"), head)
    tree_digest(repository, head, ["src"])

    assert state(queries) == before


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8")))
def test_a_quoted_path_reads_back_as_itself(path: str) -> None:
    assert unquoted(quoted(path)) == path


def test_bytes_that_git_wrote_in_octal_are_read() -> None:
    assert unquoted('"/caf\\303\\251"') == "/café"
    assert unquoted("/plain/path") == "/plain/path"
