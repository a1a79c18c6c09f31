"""Two commits of a Python project, on a machine whose uv and interpreter are stand-ins."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from countci import revisions
from countci.builds.places import Places, prepare
from countci.builds.python import Request
from countci.model import PythonEnvironment, Recipe
from tests.unit.revisions.conftest import Git

# Answers as uv does: what is held to a version gets that one, all else the newest of `index`.
UV = """
import pathlib, re, sys
here, words = pathlib.Path(__file__).parent, sys.argv[1:]
if words == ["--version"]:
    sys.exit(print("uv 9.9.9"))
with (here / "calls").open("a") as calls:
    calls.write(f"{words[0]} {words[1]}\\n")
if words[0] == "export":
    sys.exit(print(pathlib.Path("uv.lock").read_text()))
if not (here / "index").exists():
    sys.exit("error: Failed to fetch: `https://index.example/simple/`")
index = dict(line.split("==") for line in (here / "index").read_text().split())
held = {}
if words[-3] == "--constraints":
    held = dict(line.split("==") for line in pathlib.Path(words[-2]).read_text().split())
for line in pathlib.Path(words[-1]).read_text().splitlines():
    name, _, version = line.partition("==")
    if version and held.get(name, version) != version:
        sys.exit(f"  x No solution found when resolving dependencies: {name}")
    if line.startswith("-"):
        continue
    print(line if line.startswith(".") else f"{name}=={version or held.get(name) or index[name]}")
"""
INTERPRETER = """#!/bin/sh
echo '{"path": "PATH", "version": "3.11.7 (main)", "library": "", "pip": "23.2.1"}'
"""


def write_program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Machine:
    """What is installed, and a repository whose two last commits are compared."""

    def __init__(self, root: Path, git: Git) -> None:
        self.bin = root / "bin"
        self.git = git
        self.project = git.init(root / "project")
        self.places = prepare(Places(root / "cache"))
        write_program(self.bin / "uv", f"#!{sys.executable} -IS\n{UV}")
        python = self.bin / "python3"
        write_program(python, INTERPRETER.replace("PATH", str(python)))
        self.publish(attrs="1", hatchling="5", pytest="8", setuptools="80")

    def publish(self, **versions: str) -> None:
        """Make these the newest of the index."""
        lines = [f"{name}=={version}" for name, version in versions.items()]
        (self.bin / "index").write_text("\n".join(lines))

    @property
    def calls(self) -> list[str]:
        """What uv was asked, and forget it."""
        calls = self.bin / "calls"
        said = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return said

    def commit(self, files: Mapping[str, str], tag: str = "") -> None:
        self.git.commit(self.project, "Change", files)
        if tag:
            self.git(self.project, "tag", tag)

    def request(
        self, python: PythonEnvironment | None = None, base: str = "HEAD~1", *build: str
    ) -> Request:
        repository = self.git.open(self.project)
        return Request(
            recipe=Recipe(commands=build, python=python or PythonEnvironment()),
            repository=repository,
            base=revisions.resolve(repository, base),
            head=revisions.resolve(repository, "HEAD"),
            places=self.places,
            env={"PATH": f"{self.bin}:/usr/bin:/bin"},
        )
