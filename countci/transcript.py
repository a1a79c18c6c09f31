"""The programs that a run started: written down, so that a reader can see and try what was done."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

_HEAD = """\
# What countci ran, each line once, in the order of the first time. A line can be tried on
# its own; all of them in a row are not the comparison, for between them the two builds take
# turns on the stage, and folders of single runs come and go. git is left out: it runs with
# your own environment, which is nobody's business.
"""


class Started(Protocol):
    """What is written down of a command."""

    @property
    def argv(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def env(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def cwd(self) -> Path: ...  # noqa: D102
    @property
    def stdin(self) -> Path | None: ...  # noqa: D102
    @property
    def private(self) -> bool: ...  # noqa: D102


class Transcript:
    """Every distinct command, in the order of its first start, and how often it ran."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._environments: dict[str, str] = {}
        self._lines: dict[str, int] = {}

    def note(self, command: Started) -> None:
        """Remember that `command` was started, unless its environment is the user's own."""
        if command.private:
            return
        words = " ".join(f"{name}={shlex.quote(value)}" for name, value in command.env.items())
        name = self._environments.setdefault(words, f"env{len(self._environments) + 1}")
        stdin = shlex.quote(str(command.stdin or "/dev/null"))
        line = f"(cd {shlex.quote(str(command.cwd))} && {name} {shlex.join(command.argv)} <{stdin})"
        self._lines[line] = self._lines.get(line, 0) + 1

    def text(self) -> str:
        """Return a shell script: a function for each environment, then the commands."""
        functions = [
            f'{name}() {{ env -i {words} "$@"; }}' for words, name in self._environments.items()
        ]
        commands = [
            line if count == 1 else f"{line}  # {count} times"
            for line, count in self._lines.items()
        ]
        return "\n".join([_HEAD, *functions, "", *commands, ""])
