"""GitHub's runner, which reads what is printed: foreign text must never be a command to it."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Mapping
from typing import TextIO


class Guarded:
    """A stream in which no text is a command to the runner, but what `commands` is given."""

    def __init__(self, stream: TextIO, defused: Callable[[str], str]) -> None:
        """Stand before `stream`."""
        self._stream = stream
        self._defused = defused
        self._line = ""

    def write(self, text: str) -> int:
        """Write `text` with every command in it broken up, however it came in pieces."""
        whole = self._defused(self._line + text)
        self._stream.write(whole[len(self._line) :])
        self._line = whole[max(whole.rfind("\n"), whole.rfind("\r")) + 1 :]
        return len(text)

    def commands(self, text: str) -> None:
        """Write whole lines as they are: each is for the runner."""
        self._stream.write(f"\n{text}" if self._line else text)
        self._stream.flush()
        self._line = ""

    def __getattr__(self, name: str) -> object:
        """Return whatever else the stream has."""
        return getattr(self._stream, name)


def guard(env: Mapping[str, str]) -> None:
    """Have everything that is printed from now on broken up, where the runner reads it."""
    if env.get("GITHUB_ACTIONS") != "true":
        return
    from countci.reporting.github import defused

    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if _is_file(stream):
            continue
        # The runner reads UTF-8; and click goes around a stream that can only write ASCII.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
        setattr(sys, name, Guarded(stream, defused))


def _is_file(stream: TextIO) -> bool:
    """Return whether what is printed ends in a file, where it must stay as it is."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False


def tell(commands: str) -> None:
    """Print commands to the runner, whole lines that reporting.github made."""
    stream: object = sys.stdout
    if isinstance(stream, Guarded):
        stream.commands(commands)
    else:
        sys.stdout.write(commands)
        sys.stdout.flush()
