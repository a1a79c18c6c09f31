"""Shards on machines that share nothing, and the report of all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.bank import Ended, Repository, bank

pytestmark = pytest.mark.slow


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return the program, slower in one of its queries, with one of base's queries gone."""
    made = bank(tmp_path)
    suite = made.top / "queries/bank.toml"
    text = suite.read_text() + '[query.old]\ncommand = "./bank field {n}"\n'
    made.commit("One more", queries__bank_dot_toml=text)
    made.write(queries__bank_dot_toml=text.partition("[query.old]")[0])
    made.edit(
        "Slower\n\nCountci-Accept: bank/old gone because nobody asks it",
        "FIELD_STEPS = 1000",
        "FIELD_STEPS = 1020",
    )
    return made


def shard(repository: Repository, tmp_path: Path, number: int, count: int = 2) -> Ended:
    """Run one shard as another machine does: at the same path, with nothing known."""
    out = str(tmp_path / f"{number}.json")
    ended = repository.countci(
        *("compare", "HEAD~1", "HEAD", "--no-time"),
        *("--shard", f"{number}/{count}", "--output", out),
    )
    if repository.cache.exists():
        repository.cache.rename(tmp_path / f"machine{number}")
    return ended


def told(path: Path) -> dict[str, Any]:
    """Return a report without what differs from machine to machine and from run to run."""
    report: dict[str, Any] = json.loads(path.read_text())
    for volatile in ("seconds", "command", "merged"):
        del report[volatile]
    for side in (report["base"], report["head"]):
        del side["build"], side["build_seconds"], side["build_cached"]
    report["comparisons"] = [each["query"] for each in report["comparisons"]]
    for explanation in report["explanations"]:
        explanation.pop("notes")
    return report


def test_the_merged_report_is_the_one_of_a_single_machine(
    repository: Repository, tmp_path: Path
) -> None:
    codes = {shard(repository, tmp_path, number).code for number in (1, 2)}
    files = [str(tmp_path / f"{number}.json") for number in (2, 1)]
    whole = repository.countci(
        *("compare", "HEAD~1", "HEAD", "--no-time", "--output", str(tmp_path / "whole.json"))
    )

    merged = repository.countci(
        "merge", "--expect", "2", *files, "--output", str(tmp_path / "merged.json")
    )

    assert codes == {0, 1}
    assert (merged.code, whole.code) == (1, 1), merged.err
    assert told(tmp_path / "merged.json") == told(tmp_path / "whole.json")
    assert "again: countci compare 'HEAD~1' HEAD --no-time\n" in merged.out
    assert "merged from 2 shards: " in " ".join(merged.out.split())


def test_a_shard_that_left_nothing_is_no_green(repository: Repository, tmp_path: Path) -> None:
    shard(repository, tmp_path, 2)

    lacking = repository.countci("merge", "--expect", "2", str(tmp_path / "2.json"))
    unwritten = repository.countci(
        "merge", "--expect", "2", str(tmp_path / "1.json"), str(tmp_path / "2.json")
    )

    assert (lacking.code, unwritten.code) == (3, 3)
    assert "shard 1 of 2 left no result" in lacking.err
    assert "1.json: can't be read" in unwritten.err


@pytest.mark.parametrize("wrong", ["3/2", "0/2", "1", "1/0", "-1/2", "1/2/3"])
def test_a_shard_that_cannot_be_is_a_slip(repository: Repository, wrong: str) -> None:
    ended = repository.countci("compare", "HEAD~1", "HEAD", f"--shard={wrong}")

    assert ended.code == 2
    assert "I/N" in ended.err


def test_more_shards_than_queries_are_a_slip(repository: Repository, tmp_path: Path) -> None:
    ended = shard(repository, tmp_path, 1, 3)

    assert ended.code == 2
    assert "only 2 queries to share out" in ended.err
