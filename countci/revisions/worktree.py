"""Uncommitted work as a commit that only countci's own store holds."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from countci import process
from countci.errors import UsageError
from countci.model import Revision
from countci.revisions.environment import of_user
from countci.revisions.names import look_up, read_commit
from countci.revisions.repository import Repository

_NAME = "worktree"
_WHO = "countci <countci@localhost>"
_FIRST_COMMIT = 1_000_000_000
_TAKES_NO_PART = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "core.untrackedCache=false",
    "-c", "core.splitIndex=false",
    "-c", "advice.addEmbeddedRepo=false",
)  # fmt: skip


def snapshot(repository: Repository, objects: Path) -> Revision:
    """Return the worktree as it is now: tracked changes, and what is neither tracked nor ignored.

    Its objects are written to `objects`, through an index of their own. The user's index, stash,
    refs and even the time stamps of their objects stay as they are. Equal work gives an
    equal commit.

    Args:
        repository: whose worktree it is.
        objects: a folder of countci's own; `Repository.with_objects` reads it.

    Raises:
        UsageError: there is no worktree, a merge is under way, or a submodule has changes.
        MeasureError: git can't store a file.
    """
    top = repository.top
    if top is None:
        raise UsageError("a bare repository has no uncommitted work", where=str(repository.common))
    repository = repository.with_objects(objects)
    # git takes the user's objects as its own and touches the time stamps of those that it
    # would write again. So the writing commands don't see them.
    with tempfile.TemporaryDirectory(prefix="tmp_index_", dir=objects) as scratch:
        work = _Work(repository=repository, top=top, index=Path(scratch) / "index")
        _refuse_unfinished(work)
        _copy_line_ends(work, objects)
        work.git("add", "--all", writes_to=objects)
        written = work.git("write-tree", "--missing-ok", writes_to=objects)
    return _commit(repository, objects, written.decode().strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """The user's worktree, seen through a copy of its index."""

    repository: Repository
    top: Path
    index: Path

    def __post_init__(self) -> None:
        # With its time stamp: by that git tells which entries it must look at again.
        if (self.repository.git_dir / "index").is_file():
            shutil.copy2(self.repository.git_dir / "index", self.index)

    def git(self, *arguments: str, writes_to: Path | None = None) -> bytes:
        """Return what a git command prints: one that reads all, or one that writes to a folder."""
        command = process.Command(
            argv=("git", *_TAKES_NO_PART, *arguments),
            env={**of_user(self.repository.env), **self._where(writes_to)},
            private=True,
            cwd=self.top,
        )
        return process.run(command).stdout

    def _where(self, writes_to: Path | None) -> Mapping[str, str]:
        return {
            "GIT_DIR": str(self.repository.git_dir),
            "GIT_WORK_TREE": str(self.top),
            "GIT_INDEX_FILE": str(self.index),
            "GIT_OBJECT_DIRECTORY": str(writes_to or self.repository.common / "objects"),
        }


def _refuse_unfinished(work: _Work) -> None:
    unmerged = _paths(work.git("ls-files", "--unmerged", "-z"))
    if unmerged:
        raise UsageError(
            f"a merge is under way: {len(unmerged)} conflicts",
            where=unmerged[0],
            detail="resolve them and git add them, or git merge --abort",
        )
    if not (work.top / ".gitmodules").is_file():
        return
    lines = work.git("status", "--porcelain=v2", "--ignore-submodules=none", "-uno", "-z")
    for line in os.fsdecode(lines).split("\0"):
        fields = line.split(" ")
        if fields[0] == "1" and fields[2].startswith("S") and fields[2][2:] != "..":
            raise UsageError(
                "a submodule with uncommitted changes can't be measured",
                where=" ".join(fields[8:]),
                detail="commit inside the submodule first",
            )


def _paths(lines: bytes) -> list[str]:
    entries = (entry.partition(b"\t")[2] for entry in lines.split(b"\0") if entry)
    return sorted({os.fsdecode(path) for path in entries})


def _copy_line_ends(work: _Work, objects: Path) -> None:
    """Copy the changed files' old contents that hold carriage returns.

    With `text=auto` git keeps them in the new contents only if it sees them in the old.
    """
    from gitdb import IStream, LooseObjectDB  # type: ignore[import-untyped]

    store = LooseObjectDB(str(objects))
    raw = work.git("diff-files", "-z", "--diff-filter=M", "--ignore-submodules=all")
    for entry in raw.split(b"\0")[:-1:2]:
        sha = entry.split(b" ")[2].decode()
        data = work.repository.repo.odb.stream(bytes.fromhex(sha)).read()
        if b"\r" in data:
            store.store(IStream(b"blob", len(data), io.BytesIO(data)))


def _commit(repository: Repository, objects: Path, tree: str) -> Revision:
    parent = look_up(repository, "HEAD^{commit}")
    parents: Sequence[str] = () if parent is None else (parent[1],)
    when, short = _FIRST_COMMIT, "nothing"
    if parent is not None:
        when = read_commit(repository, parent[1], name="HEAD").when
        short = parent[1][:12]
    text = f"uncommitted work on {short}"
    sha = store_commit(objects, tree=tree, parents=parents, when=when, message=text)
    return read_commit(repository, sha, name=_NAME)


def store_commit(
    objects: Path, *, tree: str, parents: Sequence[str], when: int, message: str
) -> str:
    """Return the sha of a commit of countci's own, which is written to `objects`."""
    from gitdb import IStream, LooseObjectDB

    lines = [
        f"tree {tree}",
        *(f"parent {sha}" for sha in parents),
        f"author {_WHO} {when} +0000",
        f"committer {_WHO} {when} +0000",
        "",
        message,
    ]
    commit = "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")
    stored = LooseObjectDB(str(objects)).store(IStream(b"commit", len(commit), io.BytesIO(commit)))
    sha: str = stored.binsha.hex()
    return sha
