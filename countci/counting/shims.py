"""Commands that would count another program than the one that is meant.

A version manager's shim is a shell script that starts thirty processes before the program;
a task runner may install something first; `python -I` and `-E` ignore the hash seed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from countci.errors import UsageError

_RUNNERS = {
    **dict.fromkeys(["uv", "poetry", "pdm", "hatch", "pipenv", "pipx", "conda"], "run"),
    **dict.fromkeys(["uvx", "tox", "nox", "make", "gmake", "ninja"], ""),
}
"""Programs that run others, and the word after which they do; empty: always."""
_PYTHON = re.compile(r"python(\d+(\.\d+)?)?t?")
_WITH_VALUE = ("-X", "-W", "--check-hash-based-pycs")
_SHEBANG_SIZE = 256
"""Bytes of a `#!` line that the kernel reads (execve(2))."""
_DEEPEST = 4
"""Interpreters of interpreters that the kernel follows."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the machine is looked at, so that the rules can be tried without one."""

    which: Callable[[str], str | None]
    """The path of the program that a name starts, or None."""
    read: Callable[[Path], bytes | None]
    """The first bytes of a file, or None."""


def refuse(argv: Sequence[str], look: Look) -> None:
    """Raise a UsageError if what `argv` starts is not the program that it names.

    Raises:
        UsageError: it is a shim, a task runner, or a Python that ignores the hash seed. The
            detail says what to write instead.
    """
    line = shlex.join(argv)
    words = list(argv)
    for _ in range(_DEEPEST):
        words = _behind_env(words)
        if not words:
            return
        _refuse_runner(words, line)
        path = look.which(words[0])
        _refuse_shim(words[0], path, line, look)
        _refuse_isolated(words, line)
        words = _interpreter(path, look)


def shim_among(programs: Sequence[str]) -> str | None:
    """Return the first of the counted programs that is a shim; None when there is none."""
    return next((each for each in programs if "/shims/" in each.partition("\n")[0]), None)


def _behind_env(words: list[str]) -> list[str]:
    """Return the words after `env NAME=VALUE ...`; those with other options are let be."""
    if not words or PurePath(words[0]).name != "env":
        return words
    rest = words[1:]
    if rest and rest[0] in {"-S", "--split-string"}:
        rest = [part for word in rest[1:] for part in word.split()]
    while rest and (rest[0].startswith("-") or "=" in rest[0]):
        rest = rest[1:]
    return rest


def _refuse_runner(words: list[str], line: str) -> None:
    name = PurePath(words[0]).name
    after = _RUNNERS.get(name)
    if after is None or (after and after not in words[1:3]):
        return
    raise UsageError(
        f"`{name} {after}".rstrip() + "` would be counted together with the program that it runs",
        where=line,
        detail="write the program's own command, such as .venv/bin/NAME",
    )


def _refuse_shim(name: str, path: str | None, line: str, look: Look) -> None:
    if path is None or "shims" not in PurePath(path).parent.parts:
        return
    real = _behind_shim(Path(path), look)
    python = _PYTHON.fullmatch(PurePath(name).name)
    ask = f'{name} -c "import sys; print(sys.executable)"' if python else f"pyenv which {name}"
    raise UsageError(
        f"{path} is a shim: a script that looks for the real program, and would be counted",
        where=line,
        detail=f"write {real} instead of {name}" if real else f"write the path that `{ask}` prints",
    )


def _behind_shim(shim: Path, look: Look) -> Path | None:
    """Return the program behind a pyenv's shim, by its global version; None if it isn't there."""
    root = shim.parent.parent
    versions = (look.read(root / "version") or b"").decode(errors="replace").split()
    found = (root / "versions" / version / "bin" / shim.name for version in versions)
    return next((path for path in found if look.read(path) is not None), None)


def _refuse_isolated(words: list[str], line: str) -> None:
    if not _PYTHON.fullmatch(PurePath(words[0]).name):
        return
    option = _isolating(words[1:])
    if option is None:
        return
    raise UsageError(
        f"python {option} ignores PYTHONHASHSEED: sets of strings would be walked in another "
        "order each time",
        where=line,
        detail="leave -I and -E out (-s and -P are fine); the environment is empty as it is",
    )


def _isolating(words: Sequence[str]) -> str | None:
    """Return the option of Python that hides the environment from it, or None."""
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] not in {"-", "--"}:
        word = rest.pop(0)
        if word in _WITH_VALUE:
            rest = rest[1:]
        elif not word.startswith("--"):
            # Flags may stand in one word (`-Es`); what follows c, m, W or X is a value.
            flags = re.split("[cmWX]", word[1:], maxsplit=1)[0]
            if "I" in flags or "E" in flags:
                return word
            if len(flags) < len(word) - 1 and word[1 + len(flags)] in "cm":
                return None
    return None


def _interpreter(path: str | None, look: Look) -> list[str]:
    """Return the words of a script's `#!` line; empty for a program."""
    start = (look.read(Path(path)) or b"")[:_SHEBANG_SIZE] if path else b""
    if not start.startswith(b"#!"):
        return []
    line = start[2:].partition(b"\n")[0].decode(errors="replace")
    return line.split()
