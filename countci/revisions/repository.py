"""The user's repository: found, opened, never written to."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from countci import process
from countci.errors import UsageError
from countci.revisions.environment import of_user
from countci.revisions.objects import object_folders, quoted

if TYPE_CHECKING:
    import git


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository of the user, and GitPython's view of it. Made by `open_repository`."""

    repo: git.Repo
    env: Mapping[str, str]
    """The user's own environment, for git in this repository."""
    git_dir: Path
    """Of this worktree; the same as `common` unless the worktree is a linked one."""
    common: Path
    """What all worktrees share: objects, refs, configuration."""
    top: Path | None
    """Root of the worktree; None in a bare repository."""
    extra_objects: Path | None = None
    """Objects of countci's own making, readable like the user's."""

    @property
    def objects(self) -> tuple[Path, ...]:
        """Every folder of objects: the user's, what that borrows from, countci's own."""
        own = () if self.extra_objects is None else (self.extra_objects,)
        return object_folders((self.common / "objects", *own))

    @property
    def shallow(self) -> bool:
        """Whether history is cut off somewhere."""
        return (self.common / "shallow").is_file()

    @property
    def identity(self) -> str:
        """12 hex digits that stand for this repository on this machine, all worktrees alike."""
        real = os.fsencode(self.common.resolve())
        return hashlib.sha256(real).hexdigest()[:12]

    def with_objects(self, folder: Path) -> Repository:
        """Return the same repository, with the objects in `folder` readable too."""
        if folder == self.extra_objects:
            return self
        folder.mkdir(parents=True, exist_ok=True)  # git forgets a folder that isn't there yet
        return _opened(self.git_dir, self.common, self.top, self.env, folder)

    def git(self, *arguments: str) -> tuple[int, bytes, str]:
        """Return exit status, standard output and standard error of a git command that reads."""
        status, out, err = self.repo.git.execute(
            ["git", *arguments],
            with_extended_output=True,
            with_exceptions=False,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
        )
        assert isinstance(out, bytes)
        return status, out, err


def open_repository(
    path: Path, env: Mapping[str, str], extra_objects: Path | None = None
) -> Repository:
    """Return the repository that `path` lies in: a worktree, a linked one, or a bare one.

    Args:
        path: any folder inside of it.
        env: the user's environment; git finds the user's settings through its HOME.
        extra_objects: a folder of objects that are readable too; made if it isn't there.

    Raises:
        UsageError: there is none, or it can't be used; the detail says what to type.
    """
    if not path.is_dir():
        raise UsageError("no such folder", where=str(path))
    if process.which("git", env, path) is None:
        raise UsageError("git is not installed", detail="install it: apt install git")
    git_dir, common, top = _discover(path, env)
    repository = _opened(git_dir, common, top, env, None)
    _refuse_partial(repository)
    return repository if extra_objects is None else repository.with_objects(extra_objects)


def _discover(path: Path, env: Mapping[str, str]) -> tuple[Path, Path, Path | None]:
    """Return git folder, common folder and worktree, as git finds them: it checks the owner."""
    questions = (
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-object-format",
        "--is-inside-work-tree",
        "--show-cdup",
    )
    asked = process.run(
        process.Command(
            argv=("git", "rev-parse", *questions), env=of_user(env), cwd=path, private=True
        ),
        check=False,
    )
    if asked.status:
        raise _not_usable(path, asked.stderr)
    git_dir, common, objects, inside, up = os.fsdecode(asked.stdout).split("\n")[:5]
    if objects != "sha1":
        raise UsageError(
            f"its objects are named by {objects}, and countci knows only sha1", where=str(path)
        )
    top = (path / up).resolve() if inside == "true" else None
    return Path(git_dir), (path / common).resolve(), top


def _not_usable(path: Path, stderr: str) -> UsageError:
    owner = re.search(r"dubious ownership in repository at '(.*)'", stderr)
    if owner:
        return UsageError(
            "the repository belongs to another user, so git doesn't trust it",
            where=owner[1],
            detail=f"git config --global --add safe.directory {owner[1]}",
        )
    if "not a git repository" in stderr:
        return UsageError(
            "not a git repository, nor inside one",
            where=str(path),
            detail="change into your project first: cd PROJECT",
        )
    return UsageError("git can't open this repository", where=str(path), detail=stderr.strip())


def _opened(
    git_dir: Path, common: Path, top: Path | None, env: Mapping[str, str], extra: Path | None
) -> Repository:
    import git

    repo = git.Repo(top or git_dir, expand_vars=False)
    # GitPython hands on countci's own environment; in a hook that names other folders.
    tied = {
        "GIT_DIR": str(git_dir),
        "GIT_COMMON_DIR": str(common),
        "GIT_INDEX_FILE": str(git_dir / "index"),
        "GIT_OBJECT_DIRECTORY": str(common / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "" if extra is None else quoted(extra),
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_CONFIG_COUNT": "0",
    }
    if top is not None:
        tied["GIT_WORK_TREE"] = str(top)
    repo.git.update_environment(**(of_user(env) | tied))
    return Repository(
        repo=repo, env=env, git_dir=git_dir, common=common, top=top, extra_objects=extra
    )


def _refuse_partial(repository: Repository) -> None:
    """Raise UsageError for a partial clone: git would fetch each missing file, or leave it out."""
    with repository.repo.config_reader("repository") as reader:
        promisors = [
            name
            for name in reader.sections()
            if reader.has_option(name, "promisor") or reader.has_option(name, "partialclone")
        ]
    if promisors:
        raise UsageError(
            "a partial clone: some files of older commits are not here",
            where=str(repository.top or repository.common),
            detail="\n".join(_make_whole(promisors)),
        )


def _make_whole(promisors: Sequence[str]) -> list[str]:
    remotes = [found[1] for name in promisors if (found := re.fullmatch(r'remote "(.*)"', name))]
    remote = remotes[0] if remotes else "origin"
    return [
        "make it whole (git 2.36 or later), or clone again without --filter:",
        f"git config --unset remote.{remote}.promisor",
        f"git config --unset remote.{remote}.partialclonefilter",
        f"git fetch --refetch {remote}",
        "in GitHub Actions: actions/checkout without filter and sparse-checkout",
    ]
