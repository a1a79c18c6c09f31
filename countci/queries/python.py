"""The kind `python`: a function of the project, asked inside one process."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from countci.model import PythonWork, Query
from countci.process import Command
from countci.queries.command import read_env, values
from countci.queries.place import Place
from countci.queries.placeholders import NAMES, fill
from countci.queries.tables import Entry, QueryTable
from countci.reading.toml import one_of

RUNNER = Path(__file__).parents[1] / "inside" / "runner.py"
"""Started by path: countci isn't installed in the project's interpreter."""
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_COLLECTORS = ("each", "off")


class PythonTable(QueryTable, frozen=True, kw_only=True):
    """`[query.NAME]` of this kind."""

    function: str
    setup: str | None = None
    collector: str = "each"
    interpreter: str = "{build}/.venv/bin/python"
    env: dict[str, Any] = msgspec.field(default_factory=dict)


def read(table: PythonTable, entry: Entry) -> PythonWork:
    """Return the work that `table` describes.

    Raises:
        UsageError: it could never be run.
    """
    _check_function(table.function, entry, "function")
    if table.setup is not None:
        _check_function(table.setup, entry, "setup")
    one_of(entry.document, table.collector, _COLLECTORS, "query", entry.name, "collector")
    collector: Literal["each", "off"] = "each" if table.collector == "each" else "off"
    fill(table.interpreter, dict.fromkeys(NAMES[1:], ""), entry.where("interpreter"))
    return PythonWork(
        function=table.function,
        setup=table.setup,
        collector=collector,
        interpreter=table.interpreter,
        env=read_env(table.env, entry),
    )


def runner(query: Query, place: Place, words: Sequence[str]) -> Command:
    """Return the process that asks `query` at `place` as `words` tell the runner.

    Its working directory is the tree, which is no place that modules are looked for.
    """
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, PythonWork)
    filled = values(query, place)
    setup = ("--setup", work.setup) if work.setup else ()
    return Command(
        argv=(
            fill(work.interpreter, filled, where),
            *(str(RUNNER), "--function", work.function, *setup),
            *("--collector", work.collector, *words),
        ),
        env={**place.env, **_env(work.env, filled, where)},
        cwd=place.tree,
        timeout=query.timeout,
    )


def _env(written: Mapping[str, str], filled: Mapping[str, str], where: str) -> dict[str, str]:
    return {name: fill(value, filled, where) for name, value in written.items()}


def _check_function(text: str, entry: Entry, key: str) -> None:
    if not _FUNCTION.fullmatch(text):
        raise entry.wrong(
            f"{text!r} names no function", key, detail='write it as "package.module:function"'
        )
