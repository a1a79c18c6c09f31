"""Command lines as people write them: split as a shell splits words, run without a shell."""

from __future__ import annotations

import re
import shlex

from countci.errors import UsageError

# Quoted and escaped text is what a shell would hand on; what is left it would act upon.
_SINGLE = r"'[^']*'"
_ESCAPED = r"\\."
_DOUBLE = r'"(?:\\.|[^"\\])*"'
_QUOTED = re.compile(f"{_SINGLE}|{_ESCAPED}|{_DOUBLE}", re.DOTALL)
_EXPANSION = r"\$[A-Za-z_0-9{(@*#?!$-][A-Za-z_0-9]*|`"
_OPERATOR = re.compile(rf"\|\|?|&&?|;|[0-9]*>>?&?|<<?|[()]|\n|{_EXPANSION}")
_SETTING = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def split(command: str, *, where: str) -> tuple[str, ...]:
    """Return the words of `command`; never empty.

    Raises:
        UsageError: a quote isn't closed, there is no program in it, or it needs a shell.
    """
    if "\0" in command:
        raise UsageError("a NUL character can't be part of a command", where=where)
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(
            f"{command!r} can't be split into words: {str(error).lower()}",
            where=where,
            detail="close the quote, or write \\' or \\\" for one that stands for itself",
        ) from error
    if not words or not words[0]:
        raise UsageError(
            f"{command!r} names no program", where=where, detail='write it as "program argument"'
        )
    _refuse_shell(command, words, where)
    return words


def _refuse_shell(command: str, words: tuple[str, ...], where: str) -> None:
    """Raise a UsageError for what only a shell does: without one it would be a silent argument."""
    found = _OPERATOR.search(_QUOTED.sub(_unquoted, command.strip()))
    if found:
        shown = "a new line" if found[0] == "\n" else found[0]
        raise UsageError(
            f"{shown} in a command needs a shell, and commands run without one",
            where=where,
            detail="write sh -c '...' around it; or quote it, if it stands for itself",
        )
    if _SETTING.match(words[0]):
        raise UsageError(
            f"{words[0]} in front of a command needs a shell, and commands run without one",
            where=where,
            detail=f"write env {words[0]} ... instead",
        )


def _unquoted(found: re.Match[str]) -> str:
    """Return what a shell would still act upon: double quotes keep `$NAME` alive."""
    if found[0].startswith('"'):
        inside = re.sub(_ESCAPED, "", found[0], flags=re.DOTALL)
        return "".join(re.findall(_EXPANSION, inside))
    return ""
