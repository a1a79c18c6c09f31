from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from countci import process, queries
from countci.measuring.bench import Bench
from countci.model import Build, Query, ReadSet

READS = ReadSet(paths=("data/in.txt",))
BUILD = cast("Build", SimpleNamespace(key="base"))
QUERY = cast("Query", SimpleNamespace(suite="a"))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return a bench whose setups run nothing, and read one file when they are watched."""
    command = process.Command(argv=("true",), env={}, cwd=tmp_path)
    monkeypatch.setattr(queries, "setup_command", lambda *_: command)
    monkeypatch.setattr(process, "run", lambda _: None)
    monkeypatch.setattr("countci.counting.run_watched", lambda *_, **__: READS)
    places = SimpleNamespace(
        work=tmp_path / "work", queries=tmp_path, stage=tmp_path, home=tmp_path, runs=tmp_path
    )
    made: Any = Bench
    found: Bench = made(
        job=SimpleNamespace(env={}),
        plan=SimpleNamespace(places=places),
        stage=SimpleNamespace(bring=lambda _: None),
        cache=None,
        store=None,
        progress=SimpleNamespace(step=lambda _: None),
        ports=None,
    )
    return found


def test_what_a_setup_read_is_told_to_every_query_of_its_file(bench: Bench) -> None:
    assert bench.bring(BUILD, QUERY, watched=True) == READS
    assert bench.bring(BUILD, QUERY, watched=True) == READS
    assert bench.bring(BUILD, QUERY) == READS


def test_what_nobody_watched_is_unknown_whoever_asks_later(bench: Bench) -> None:
    bench.bring(BUILD, QUERY)

    reads = bench.bring(BUILD, QUERY, watched=True)

    assert reads is not None
    assert reads.unknown


def test_without_a_setup_nothing_was_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "setup_command", lambda *_: None)

    assert bench.bring(BUILD, QUERY, watched=True) is None
