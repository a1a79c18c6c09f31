"""The kind `pytest`: each benchmark of a suite is a query, known once it is collected."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from countci.model import PytestWork, Query
from countci.process import Command
from countci.queries.command import read_env, values
from countci.queries.place import Place
from countci.queries.placeholders import NAMES, fill
from countci.queries.tables import Entry, QueryTable
from countci.units import Seconds

SUITE = Path(__file__).parents[1] / "inside" / "suite.py"
"""Started by path: countci isn't installed in the project's interpreter."""
_TESTS = 10
"""A whole suite may take this many times the time limit of one test."""


class PytestTable(QueryTable, frozen=True, kw_only=True):
    """`[query.NAME]` of this kind."""

    args: tuple[str, ...]
    metrics: tuple[str, ...] = ("instructions",)
    interpreter: str = "{build}/.venv/bin/python"
    env: dict[str, Any] = msgspec.field(default_factory=dict)


def read(table: PytestTable, entry: Entry) -> PytestWork:
    """Return the work that `table` describes.

    Raises:
        UsageError: it could never be run.
    """
    if "time" in table.metrics:
        detail = 'leave `metrics` out; a function of kind = "python" can be timed'
        raise entry.wrong("the tests of a suite are counted, not timed", "metrics", detail=detail)
    if not table.args:
        raise entry.wrong("nothing to collect", "args", detail='args = ["benchmarks"]')
    known = dict.fromkeys(NAMES[1:], "")
    fill(table.interpreter, known, entry.where("interpreter"))
    for word in table.args:
        fill(word, known, entry.where("args"))
    return PytestWork(
        args=table.args, interpreter=table.interpreter, env=read_env(table.env, entry)
    )


def suite(query: Query, place: Place, more: Mapping[str, str]) -> Command:
    """Return the process that counts the suite of `query` at `place`.

    Args:
        query: the suite, or one of its tests.
        place: where; the working directory is the tree.
        more: variables that tell `inside/suite.py` what to do.
    """
    work, where = query.work, f"{query.file}: {query.name}"
    assert isinstance(work, PytestWork)
    filled = values(query, place)
    env = {name: fill(value, filled, where) for name, value in work.env.items()}
    return Command(
        argv=(
            fill(work.interpreter, filled, where),
            str(SUITE),
            *(fill(word, filled, where) for word in work.args),
        ),
        env={**place.env, **env, **more},
        cwd=place.tree,
        timeout=Seconds(query.timeout * _TESTS),
    )


def test_of(query: Query, test: str) -> Query:
    """Return the query that is one test of a suite, under an id and a digest of its own."""
    assert isinstance(query.work, PytestWork)
    return replace(
        query,
        name=f"{query.name}/{test}",
        work=replace(query.work, test=test),
        digest=digest_of(query, test),
    )


def digest_of(query: Query, *parts: str) -> str:
    """Return the digest of some of a suite, in hex."""
    return hashlib.sha256("\0".join([query.digest, *parts]).encode()).hexdigest()


def suite_id(query: Query) -> str:
    """Return the id of the suite that `query` is, or is a test of."""
    assert isinstance(query.work, PytestWork)
    return query.id.removesuffix(f"/{query.work.test}") if query.work.test else query.id
