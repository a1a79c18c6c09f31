"""Commands that are printed to be pasted into a shell. Pure."""

from __future__ import annotations

import shlex

from rich.cells import cell_len

_GOES_ON = " \\"


def typed(command: str, width: int, *, first: str = "", later: str = "") -> list[str]:
    r"""Return a command in lines that a shell takes as one: each but the last ends in `\`.

    Broken between words only; a word that is too long for a line is left whole, for a broken
    one would be another.
    """
    lines: list[str] = []
    line, empty = first, True
    for word in _words(command):
        joined = line + word if empty else f"{line} {word}"
        if empty or cell_len(joined) + len(_GOES_ON) <= width:
            line, empty = joined, False
            continue
        lines.append(line + _GOES_ON)
        line = later + word
    return [*lines, line]


def _words(command: str) -> list[str]:
    try:
        return [shlex.quote(word) for word in shlex.split(command)]
    except ValueError:  # a result that was written by hand
        return command.split(" ")
