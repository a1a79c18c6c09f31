"""What finds and installs packages: uv where there is one, pip otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from countci.process import Command
from countci.units import Seconds

VENV = "{build}/.venv"
"""Where the environment is, in the words of a recipe."""
PYTHON = f"{VENV}/bin/python"


def literal(path: str) -> str:
    """Return a path in the words of a recipe, where a brace alone would stand for something."""
    return path.replace("{", "{{").replace("}", "}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Requirements whose exact versions are wanted."""

    folder: Path
    """A copy of what the lines name of the tree; the installer may write there."""
    lines: tuple[str, ...]
    constraints: tuple[str, ...]
    options: tuple[str, ...]
    env: Mapping[str, str]
    timeout: Seconds

    def command(self, *argv: str) -> Command:
        """Return a command that runs where the copy is."""
        return Command(argv=argv, env=self.env, cwd=self.folder, timeout=self.timeout)

    def words(self, constraint: str) -> tuple[str, ...]:
        """Return the files to name on a command line, written now: `constraint` HELD, ASKED."""
        asked = self.folder / "countci-asked.txt"
        held = self.folder / "countci-constraints.txt"
        asked.write_text("".join(f"{line}\n" for line in (*self.options, *self.lines)))
        if not self.constraints:
            return (str(asked),)
        held.write_text("".join(f"{line}\n" for line in self.constraints))
        return (constraint, str(held), str(asked))


class Installer(Protocol):
    """One of them. The commands are words of a recipe: `{build}` stands for the stage."""

    @property
    def version(self) -> str:
        """Name and number: builds by another one have another key."""
        ...

    def solve(self, ask: Ask) -> tuple[str, ...]:
        """Return one line a package, exact; the project's own among them when it was asked for.

        Raises:
            MeasureError: there is no solution, or the index can't be reached.
        """
        ...

    def create(self) -> tuple[str, ...]:
        """Return the command that makes an empty environment."""
        ...

    def dependencies(self, pins: str) -> tuple[str, ...]:
        """Return the command that installs what a file of pins (a literal) lists, no more."""
        ...

    def project(self, pins: str) -> tuple[str, ...]:
        """Return the command that installs the project alone, built by what the file lists."""
        ...
