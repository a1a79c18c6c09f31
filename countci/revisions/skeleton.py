"""A repository of countci's own that borrows every object and copies none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from countci import process
from countci.revisions.environment import of_countci
from countci.revisions.objects import object_folders, quoted

_SETTINGS = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = false
[gc]
\tauto = 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Git folders that hold the objects of one project, the user's and countci's."""

    git_dirs: tuple[Path, ...]
    """The first one has the tags."""
    extra_objects: tuple[Path, ...] = ()

    @property
    def objects(self) -> tuple[Path, ...]:
        """All folders of objects, those that they borrow from included."""
        own = tuple(folder / "objects" for folder in self.git_dirs)
        return object_folders((*own, *self.extra_objects))

    @property
    def shallow(self) -> str:
        """Where history is cut off: one sha a line, in the form of the file `shallow`."""
        files = (folder / "shallow" for folder in self.git_dirs)
        lines = {line for file in files if file.is_file() for line in file.read_text().split()}
        return "".join(f"{line}\n" for line in sorted(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """One entry of a check-out's index."""

    mode: str
    sha: str
    path: str

    @property
    def is_submodule(self) -> bool:
        """Whether it stands for another repository's commit."""
        return self.mode == "160000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """One worktree of countci's own, and how git is called in it. Made by `lay`."""

    git_dir: Path
    at: Path
    env: Mapping[str, str]
    """The user's; git sees none of their settings."""

    def git(
        self, *arguments: str, check: bool = True, stdin: Path | None = None
    ) -> process.Finished:
        """Return how a git command ended in it."""
        # Named, not found: then git doesn't ask who owns the folder.
        where = {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(self.at)}
        command = process.Command(
            argv=("git", *arguments),
            env=of_countci(self.env) | where,
            private=True,
            cwd=self.at,
            stdin=stdin,
        )
        return process.run(command, check=check)

    def tracked(self) -> list[Tracked]:
        """Return all that its index holds."""
        entries = os.fsdecode(self.git("ls-files", "--stage", "-z").stdout).split("\0")[:-1]
        return [
            Tracked(mode=entry[:6], sha=entry[7:47], path=entry.partition("\t")[2])
            for entry in entries
        ]


def lay(source: Source, git_dir: Path, at: Path, env: Mapping[str, str]) -> Checkout:
    """Return an empty worktree at `at` with all of the source's objects and tags.

    The files are those that `git init` makes; written here, because git's own command takes
    templates and settings from wherever it finds them.
    """
    for folder in (git_dir / "objects" / "info", git_dir / "refs", at):
        folder.mkdir(parents=True, exist_ok=True)
    settings = _SETTINGS
    if git_dir != at / ".git":
        # As git lays out a submodule; relative, so that the whole tree can be renamed.
        (at / ".git").write_text(f"gitdir: {os.path.relpath(git_dir, at)}\n")
        settings = settings.replace(
            "[gc]", f"\tworktree = {quoted(os.path.relpath(at, git_dir))}\n[gc]"
        )
    (git_dir / "config").write_text(settings)
    (git_dir / "HEAD").write_text("ref: refs/heads/main\n")
    (git_dir / "objects" / "info" / "alternates").write_text(
        "".join(f"{quoted(folder)}\n" for folder in source.objects), errors="surrogateescape"
    )
    if source.shallow:
        (git_dir / "shallow").write_text(source.shallow)
    (git_dir / "packed-refs").write_bytes(_tags(source.git_dirs[0], at, env))
    return Checkout(git_dir=git_dir, at=at, env=env)


def _tags(git_dir: Path, cwd: Path, env: Mapping[str, str]) -> bytes:
    """Return all tags in the form of the file `packed-refs`: `git describe` must work."""
    form = "--format=%(objectname) %(refname)%(if)%(*objectname)%(then)%0a^%(*objectname)%(end)"
    command = process.Command(
        argv=("git", "for-each-ref", form, "refs/tags"),
        env=of_countci(env) | {"GIT_DIR": str(git_dir)},
        private=True,
        cwd=cwd,
    )
    return b"# pack-refs with: peeled fully-peeled sorted \n" + process.run(command).stdout


def note_submodule(checkout: Checkout, name: str, origin: Path) -> None:
    """Write down a submodule as initialised, with the folder that its objects came from."""
    with (checkout.git_dir / "config").open("a", errors="surrogateescape") as file:
        file.write(f"[submodule {quoted(name)}]\n\tactive = true\n\turl = {quoted(origin)}\n")
