"""The published queries of servers run, short, as they stand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.real.bank import Repository, bank

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "docs/examples/servers"
SHORTER = {
    "requests = 2000": "requests = 60",
    "requests = 500": "requests = 60",
    "[1, 10, 100, 1000]": "[1, 10]",
    "[250, 500, 1000]": "[200]",
    '"2s"': '"300ms"',
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    shutil.rmtree(made.top / "queries")
    shutil.copytree(EXAMPLE, made.top, dirs_exist_ok=True)
    suite = made.top / "queries/servers.toml"
    text = suite.read_text(encoding="utf-8")
    for long, short in SHORTER.items():
        assert long in text
        text = text.replace(long, short)
    if shutil.which("ab") is None:
        text = text.replace('tool = "ab"\n', "")
    suite.write_text(text, encoding="utf-8")
    made.commit("Two arrangements")
    return made


def verdicts(repository: Repository) -> dict[str, Any]:
    newest = max((repository.top / ".countci/results").iterdir())
    found = json.loads((newest / "result.json").read_bytes())
    return {each["query"]: each for each in found["verdicts"]}


def test_throughput_by_concurrency_of_two_arrangements(repository: Repository) -> None:
    ended = repository.countci(
        "compare", "HEAD", "HEAD+evented", "--query", "servers/by_concurrency"
    )

    assert ended.code in {0, 1, 4}, ended.out  # which is faster is this machine's affair
    found = verdicts(repository)
    assert list(found) == [f"servers/by_concurrency[clients={count}]" for count in (1, 10)]
    for verdict in found.values():
        (change,) = verdict["changes"]
        assert change["base"] > 0
        assert change["pairs"] >= 6
    assert "closed loop of 10 connections" in " ".join(ended.out.split())
    assert "thread python3: base ×" in " ".join(ended.out.split())


def test_isolation_of_a_server_from_its_neighbour(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD+evented", "--query", "servers/isolation")

    assert ended.code in {0, 1, 4}, ended.out
    (verdict,) = verdicts(repository).values()
    assert [change["metric"] for change in verdict["changes"]] == [
        "closed_p99",
        "neighbour_throughput",
    ]
    assert all(change["base"] > 0 for change in verdict["changes"])


def test_response_times_by_rate_are_measured_or_said_to_be_disturbed(
    repository: Repository,
) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD+evented", "--query", "servers/by_rate")

    assert ended.code in {0, 1, 4}, ended.out
    (verdict,) = verdicts(repository).values()
    assert [change["metric"] for change in verdict["changes"]] == ["p50", "p90", "p99"]
    if ended.code == 4:
        assert "invalid, kept and not judged" in " ".join(ended.out.split())
