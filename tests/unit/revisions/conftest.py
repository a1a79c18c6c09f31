"""Small repositories made with git itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from countci.revisions import Repository, open_repository


class Git:
    """Calls git as a user would, whose HOME has no settings but the ones of a test."""

    def __init__(self, home: Path) -> None:
        home.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home)}
        who = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "@1700000000 +0000"}
        self._who = {f"GIT_{role}_{key}": text for role in ROLES for key, text in who.items()}

    def __call__(self, at: Path, *arguments: str, more: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ("git", "-c", "protocol.file.allow=always", *arguments),
            cwd=at,
            env={**self.env, **self._who, **(more or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def init(self, at: Path) -> Path:
        at.mkdir(parents=True)
        self(at, "init", "--quiet", "--initial-branch=main")
        return at

    def commit(self, at: Path, message: str, files: Mapping[str, str] | None = None) -> str:
        for name, text in (files or {}).items():
            (at / name).parent.mkdir(parents=True, exist_ok=True)
            (at / name).write_text(text)
        self(at, "add", "--all")
        self(at, "commit", "--quiet", "--allow-empty", "-m", message)
        return self(at, "rev-parse", "HEAD")

    def open(self, at: Path, extra_objects: Path | None = None) -> Repository:
        return open_repository(at, self.env, extra_objects)


ROLES = ("AUTHOR", "COMMITTER")


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return mode, time stamp in ns and contents of all that lies below a folder."""
    return {
        str(path): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in (folder, *folder.rglob("*"))
    }


@pytest.fixture
def git(tmp_path: Path) -> Git:
    return Git(tmp_path / "home")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of three commits on main, the second with the tag v1."""
    git = Git(tmp_path_factory.mktemp("template") / "home")
    at = git.init(tmp_path_factory.mktemp("template") / "project")
    git.commit(at, "First", {"a.txt": "1\n"})
    git.commit(at, "Second", {"a.txt": "2\n", "src/b.txt": "b\n"})
    git(at, "tag", "-a", "v1", "-m", "one")
    git.commit(at, "Third", {"a.txt": "3\n"})
    return at


@pytest.fixture
def project(tmp_path: Path, template: Path) -> Path:
    """Return a copy of `template` that a test may change."""
    return shutil.copytree(template, tmp_path / "project", symlinks=True)
