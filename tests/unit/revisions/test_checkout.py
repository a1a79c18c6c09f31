from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from countci.errors import MeasureError
from countci.revisions import check_out, resolve, snapshot
from countci.revisions.skeleton import Checkout
from countci.revisions.verify import verify
from tests.unit.revisions.conftest import Git, state


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    return tmp_path / "cache/stage"


def put(git: Git, at: Path, name: str, stage: Path) -> None:
    """Check a revision out, and that the user's repository is as it was."""
    before = state(at)
    repository = git.open(at)
    check_out(repository, resolve(repository, name), stage)
    assert state(at) == before


def files(tree: Path) -> dict[str, str]:
    """Return the text of each file of a check-out."""
    return {
        str(path.relative_to(tree)): path.read_text(errors="surrogateescape")
        for path in tree.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def test_the_files_are_those_of_the_revision_and_git_sees_no_change(
    git: Git, project: Path, stage: Path
) -> None:
    put(git, project, "HEAD~1", stage)

    assert files(stage) == {"a.txt": "2\n", "src/b.txt": "b\n"}
    assert git(stage, "status", "--porcelain") == ""
    assert git(stage, "rev-parse", "HEAD") == git(project, "rev-parse", "HEAD~1")
    git(stage, "diff-index", "--quiet", "HEAD")


def test_git_describe_finds_the_tags(git: Git, project: Path, stage: Path) -> None:
    git(project, "tag", "light", "HEAD~2")
    put(git, project, "HEAD", stage)

    assert git(stage, "describe", "--dirty") == git(project, "describe")
    assert git(stage, "describe", "--tags", "HEAD~2") == "light"
    git(stage, "fsck", "--strict")


def test_nothing_is_copied(git: Git, project: Path, stage: Path) -> None:
    put(git, project, "HEAD", stage)

    assert git(stage, "count-objects").startswith("0 objects")


def test_names_links_and_modes_of_every_kind_arrive(git: Git, project: Path, stage: Path) -> None:
    names = ["with space", "line\nbreak", 'tab\t"quote"', "ünïcødé", os.fsdecode(b"\xff"), "-n"]
    for name in names:
        (project / name).write_text(name, errors="surrogateescape")
    (project / "script").write_text("#!/bin/sh\n")
    (project / "script").chmod(0o755)
    (project / "link").symlink_to("src")
    (project / "dangling").symlink_to("nowhere")
    git.commit(project, "Names")

    put(git, project, "HEAD", stage)

    assert {name: files(stage)[name] for name in names} == {name: name for name in names}
    assert os.access(stage / "script", os.X_OK)
    assert (stage / "link").readlink() == Path("src")
    tracked = [path for path in stage.rglob("*") if ".git" not in path.parts]
    times = {path.lstat().st_mtime_ns for path in tracked if path.is_symlink() or path.is_file()}
    assert times == {1_000_000_000 * 10**9}


def test_a_snapshot_is_checked_out_from_the_extra_objects(
    git: Git, project: Path, stage: Path, tmp_path: Path
) -> None:
    (project / "a.txt").write_text("changed\n")
    repository, sources = git.open(project), tmp_path / "sources"

    check_out(repository, snapshot(repository, sources), stage, sources)

    assert files(stage) == {"a.txt": "changed\n", "src/b.txt": "b\n"}


@pytest.mark.parametrize("kind", ["shallow", "bare", "linked", "borrowing", 'it\'s "odd": ü'])
def test_each_kind_of_repository_is_checked_out(
    git: Git, project: Path, stage: Path, tmp_path: Path, kind: str
) -> None:
    user = tmp_path / kind
    how = {
        "shallow": ("clone", "--quiet", "--depth=2", f"file://{project}", str(user)),
        "bare": ("clone", "--quiet", "--bare", str(project), str(user)),
        "linked": ("worktree", "add", "--quiet", str(user)),
        "borrowing": ("clone", "--quiet", "--shared", str(project), str(user)),
    }
    git(project, *how.get(kind, ("clone", "--quiet", str(project), str(user))))

    put(git, user, "HEAD~1", stage)

    assert files(stage) == {"a.txt": "2\n", "src/b.txt": "b\n"}
    assert git(stage, "log", "--format=%s") == git(user, "log", "--format=%s", "HEAD~1")


def test_settings_hooks_and_filters_of_the_user_take_no_part(
    git: Git, project: Path, stage: Path, tmp_path: Path
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (hooks / "post-checkout").chmod(0o755)
    git.commit(project, "Filter", {".gitattributes": "*.txt filter=shout\n", "a.txt": "quiet\n"})
    (Path(git.env["HOME"]) / ".gitconfig").write_text(
        f'[core]\nautocrlf = true\nhooksPath = {hooks}\n[filter "shout"]\nsmudge = tr a-z A-Z\n'
    )

    put(git, project, "HEAD", stage)

    assert (stage / "a.txt").read_bytes() == b"quiet\n"
    assert not (tmp_path / "ran").exists()


def test_pointers_of_large_files_stay_as_they_are(git: Git, project: Path, stage: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n"
    git.commit(project, "Large", {".gitattributes": attributes, "x.bin": pointer})

    put(git, project, "HEAD", stage)

    assert (stage / "x.bin").read_text() == pointer


def test_line_ends_are_those_that_the_tree_asks_for(git: Git, project: Path, stage: Path) -> None:
    git.commit(project, "Line ends", {".gitattributes": "*.bat eol=crlf\n", "x.bat": "1\n"})

    put(git, project, "HEAD", stage)

    assert (stage / "x.bat").read_bytes() == b"1\r\n"


@pytest.mark.parametrize(
    ("attribute", "committed"),
    [("eol=crlf", b"1\r\n"), ("eol=lf", b"1\r\n"), ("ident", b"$Id: 1.2 $\n")],
)
def test_contents_that_git_itself_calls_changed_after_a_check_out_are_no_error(
    git: Git, project: Path, stage: Path, attribute: str, committed: bytes
) -> None:
    git.commit(project, "Asked for", {".gitattributes": f"x.bat {attribute}\n"})
    (project / "x.bat").write_bytes(committed)
    blob = git(project, "hash-object", "-w", "--no-filters", "x.bat")
    git(project, "update-index", "--add", "--cacheinfo", f"100644,{blob},x.bat")
    git(project, "commit", "--quiet", "-m", "Committed otherwise")

    put(git, project, "HEAD", stage)

    assert (stage / "x.bat").read_bytes() == committed.replace(b"1.2", blob.encode())
    assert git(stage, "status", "--porcelain") == "M x.bat"  # so this is no test of a clean one


def test_a_missing_object_is_an_error_that_names_git_s_own_words(
    git: Git, project: Path, stage: Path
) -> None:
    repository = git.open(project)
    head = resolve(repository, "HEAD")
    blob = git(project, "rev-parse", "HEAD:src/b.txt")
    (project / ".git/objects" / blob[:2] / blob[2:]).unlink()

    with pytest.raises(MeasureError) as caught:
        check_out(repository, head, stage)

    assert blob in str(caught.value) or "src/b.txt" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda stage: (stage / "a.txt").write_text("4\n"), " M a.txt"),
        (lambda stage: (stage / "a.txt").chmod(0o755), " M a.txt"),
        (lambda stage: (stage / "a.txt").unlink(), " D a.txt"),
        (lambda stage: (stage / "new\nfile").write_text(""), "?? new\nfile"),
    ],
)
def test_files_that_are_not_what_was_committed_are_named(
    git: Git, project: Path, stage: Path, change: Callable[[Path], object], named: str
) -> None:
    put(git, project, "HEAD", stage)
    checkout = Checkout(git_dir=stage / ".git", at=stage, env=git.env)
    verify(checkout, "0" * 40, checkout.tracked())
    change(stage)

    with pytest.raises(MeasureError, match="not what was committed") as caught:
        verify(checkout, "0" * 40, checkout.tracked())

    assert caught.value.detail == named


def test_of_many_such_files_the_first_are_named(git: Git, project: Path, stage: Path) -> None:
    put(git, project, "HEAD", stage)
    for number in range(7):
        (stage / f"{number}").touch()
    checkout = Checkout(git_dir=stage / ".git", at=stage, env=git.env)

    with pytest.raises(MeasureError) as caught:
        verify(checkout, "0" * 40, checkout.tracked())

    assert caught.value.detail.splitlines()[4:] == ["?? 4", "and 2 more"]


def test_a_folder_with_something_in_it_is_refused(git: Git, project: Path, stage: Path) -> None:
    stage.mkdir(parents=True)
    (stage / "precious").write_text("")
    repository = git.open(project)

    with pytest.raises(MeasureError, match="not empty"):
        check_out(repository, resolve(repository, "HEAD"), stage)

    assert [path.name for path in stage.iterdir()] == ["precious"]
