"""A recipe's commands, run at the stage one after another, with one log."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from countci import process
from countci.builds.places import Places
from countci.errors import CountciError, MeasureError, UsageError
from countci.model import Recipe
from countci.units import Seconds

_LINES = 40
_LONGEST_LINE = 400
_END = 2**16
"""Bytes at the end of a log that are looked at."""


def arguments(command: str, places: Places) -> tuple[str, ...]:
    """Return the words of a build command, `{queries}` and `{build}` filled in; `{{` is a brace.

    Raises:
        UsageError: its quotes don't match, it is empty, or it takes something else.
    """
    values = {
        "{queries}": str(places.queries),
        "{build}": str(places.stage),
        "{{": "{",
        "}}": "}",
    }

    def value(found: re.Match[str]) -> str:
        if found[0] not in values:
            raise UsageError(
                f"a build has no {found[0]}",
                where=f"build: {command}",
                detail="there are {build} and {queries}; write {{ and }} for braces",
            )
        return values[found[0]]

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(str(error), where=f"build: {command}", detail="close it") from error
    if not words:
        raise UsageError("is empty", where="build", detail="leave it out")
    return tuple(re.sub(r"\{\{|\}\}|\{[^{}]*\}|[{}]", value, word) for word in words)


def run(recipe: Recipe, places: Places, env: Mapping[str, str], log: Path, *, name: str) -> Seconds:
    """Return how long the commands took; their output is in `log`.

    Args:
        recipe: its commands.
        places: the tree is on stage.
        env: the whole environment.
        log: written anew.
        name: of the revision, for messages.

    Raises:
        MeasureError: one failed, or all took longer than the recipe allows; with the last
            lines of the log and its path.
        UsageError: as `arguments` raises it.
    """
    commands = [arguments(command, places) for command in recipe.commands]
    start = time.monotonic()
    log.write_bytes(b"")
    for argv in commands:
        left = Seconds(max(0.1, round(recipe.timeout - (time.monotonic() - start), 1)))
        part = places.runs / "build.log"
        command = process.Command(
            argv=argv, env=env, cwd=places.stage, stdout=part, stderr=part, timeout=left
        )
        try:
            process.run(command)
        except MeasureError as error:
            _append(log, command.line, part)
            raise _failed(error, f"build of {name}: {command.line}", log) from error
        _append(log, command.line, part)
    return Seconds(time.monotonic() - start)


def last_lines(log: Path) -> str:
    """Return the end of a log, at most 40 lines, none of them endless."""
    with log.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _END))
        lines = file.read().decode(errors="replace").splitlines()
    return "\n".join(line[:_LONGEST_LINE] for line in lines[-_LINES:])


def _failed(error: CountciError, where: str, log: Path) -> MeasureError:
    return MeasureError(
        f"the build failed: {error.problem}",
        where=where,
        detail=f"{last_lines(log)}\n\nthe whole log: {log}",
    )


def _append(log: Path, line: str, part: Path) -> None:
    with log.open("ab") as whole, part.open("rb") as output:
        whole.write(f"$ {line}\n".encode(errors="replace"))
        shutil.copyfileobj(output, whole)
