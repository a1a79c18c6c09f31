"""The programs that a run started, as lines that can be typed again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol


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


class Transcript:
    """Every distinct command, in the order of its first start, and how often it ran."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._environments: dict[str, str] = {}
        self._lines: dict[str, int] = {}

    def note(self, command: Started) -> None:
        """Remember that `command` was started."""
        words = " ".join(f"{name}={shlex.quote(value)}" for name, value in command.env.items())
        name = self._environments.setdefault(words, f"ENV{len(self._environments) + 1}")
        stdin = f" < {shlex.quote(str(command.stdin))}" if command.stdin else ""
        line = f"cd {shlex.quote(str(command.cwd))} && env -i ${name} {shlex.join(command.argv)}"
        self._lines[line + stdin] = self._lines.get(line + stdin, 0) + 1

    def text(self) -> str:
        """Return a shell script's worth of lines: the environments, then the commands."""
        variables = [f"{name}={shlex.quote(words)}" for words, name in self._environments.items()]
        commands = [
            line if count == 1 else f"{line}  # {count} times"
            for line, count in self._lines.items()
        ]
        return "\n".join([*variables, "", *commands, ""])
