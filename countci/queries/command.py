"""The kind `command`: a command line, run once a process; `{n}` is how often it asks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from countci.model import CommandWork, OutputWork, Query
from countci.process import Command
from countci.queries.place import Place
from countci.queries.placeholders import NAMES, fill
from countci.queries.tables import Entry, QueryTable
from countci.reading import words
from countci.reading.spelling import did_you_mean, listed
from countci.reading.toml import one_of, scalar
from countci.units import Seconds

_FIXABLE: tuple[Literal["clock", "random"], ...] = ("clock", "random")
# Setting up happens once a build and may load what all asks need; a query's own limit is
# for one run of it.
_SETUP_TIMEOUT = Seconds(600.0)


class CommandTable(QueryTable, frozen=True, kw_only=True):
    """`[query.NAME]` of this kind."""

    command: str
    stdin: str | None = None
    env: dict[str, Any] = msgspec.field(default_factory=dict)
    fixed: tuple[str, ...] = ()


def read(table: CommandTable, entry: Entry) -> CommandWork:
    """Return the work that `table` describes.

    Raises:
        UsageError: it could never be run.
    """
    check(table.command, NAMES, entry.where("command"))
    return CommandWork(
        command=table.command,
        stdin=read_stdin(table.stdin, entry),
        env=read_env(table.env, entry),
        fixed=_fixed(table, entry),
    )


def check(command: str, names: tuple[str, ...], where: str) -> None:
    """Raise a UsageError unless `command` can be split, and filled with values of `names`."""
    argv(command, dict.fromkeys(names, "0"), where)


def command(query: Query, place: Place, n: int, *, stdout: Path | None = None) -> Command:
    """Return the process that asks `query` n times at `place`.

    Raises:
        UsageError: as `read` raises it.
    """
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, CommandWork | OutputWork)
    filled = values(query, place)
    env = {name: fill(value, filled, where) for name, value in work.env.items()}
    return Command(
        argv=argv(work.command, {"n": str(n), **filled}, where),
        env={**place.env, **env},
        cwd=place.tree,
        stdin=None if work.stdin is None else place.queries / work.stdin,
        stdout=stdout,
        timeout=query.timeout,
    )


def setup_command(query: Query, place: Place) -> Command | None:
    """Return the process that sets up the suite of `query`, if it needs one."""
    if query.setup is None:
        return None
    return Command(
        argv=argv(query.setup, values(query, place), f"{query.file}: setup"),
        env=place.env,
        cwd=place.tree,
        timeout=Seconds(max(_SETUP_TIMEOUT, query.timeout)),
    )


def argv(command: str, values: Mapping[str, str], where: str) -> tuple[str, ...]:
    """Return the words of `command`, its placeholders filled in."""
    # Split first: a space in a path must not make two words of it.
    return tuple(fill(word, values, where) for word in words.split(command, where=where))


def values(query: Query, place: Place) -> dict[str, str]:
    """Return what stands for each placeholder but `{n}`."""
    return {
        "work": str(place.work / query.suite),
        "queries": str(place.queries),
        "build": str(place.tree),
    }


def read_stdin(path: str | None, entry: Entry) -> str | None:
    """Return the path below the folder of the query files; it is written relative to its file.

    Raises:
        UsageError: there is no such file.
    """
    if path is None:
        return None
    found = posixpath.normpath(posixpath.join(posixpath.dirname(entry.file), path))
    if found not in entry.files:
        near = did_you_mean(found, entry.files)
        others = [name for name in entry.files if not name.endswith(".toml")]
        detail = f"there are {listed(others)}" if others else "write it beside the query file"
        raise entry.wrong(f'no file "{path}" beside it{near}', "stdin", detail=detail)
    return found


def _fixed(table: CommandTable, entry: Entry) -> tuple[Literal["clock", "random"], ...]:
    """Return what is fixed, in one order: it is part of the query's digest."""
    for name in table.fixed:
        one_of(entry.document, name, _FIXABLE, "query", entry.name, "fixed")
    if table.fixed and "LD_PRELOAD" in table.env:
        raise entry.wrong("`fixed` preloads a library: leave LD_PRELOAD out", "env", "LD_PRELOAD")
    return tuple(name for name in _FIXABLE if name in table.fixed)


def read_env(
    table: Mapping[str, object], entry: Entry, names: tuple[str, ...] = NAMES[1:]
) -> dict[str, str]:
    """Return a query's own variables.

    Raises:
        UsageError: a name or a value that no environment can hold.
    """
    env = {}
    for name, value in table.items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise entry.wrong(f"{name!r} is not a name of the environment", "env", name)
        text = scalar(entry.document, value, "query", entry.name, "env", name)
        if not isinstance(text, str):
            raise entry.wrong("expected string: write it in quotes", "env", name)
        if "\0" in text:
            raise entry.wrong("a NUL character can't be part of it", "env", name)
        fill(text, dict.fromkeys(names, ""), entry.where("env", name))
        env[name] = text
    return env
