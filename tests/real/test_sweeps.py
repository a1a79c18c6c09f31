"""A sweep, from its query file to its picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.real.bank import Repository, bank

pytestmark = pytest.mark.slow

QUERIES = """
[query.load]
command = "./bank {what} {n}"
metrics = ["instructions"]
sweep.what = ["field", "per_branch"]
[query.rate]
kind = "output"
command = "sh -c 'echo rate $(( {clients} * 10 ))'"
metric.rate = { match = "rate ([0-9]+)", unit = "MB/s", better = "higher" }
sweep.clients = [20, 60]
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    made.commit("Sweep", queries__bank_dot_toml=QUERIES)
    made.edit("Slower", "BRANCH_STEPS = 1000", "BRANCH_STEPS = 1005")
    return made


def test_every_value_is_measured_and_shown_in_one_table_and_one_picture(
    repository: Repository,
) -> None:
    folder = repository.top.parent
    outputs = [str(folder / name) for name in ("r.json", "r.svg", "r.html")]

    ended = repository.countci(
        "compare", "HEAD~1", "HEAD", *(word for each in outputs for word in ("--output", each))
    )

    assert ended.code == 0, ended.err
    found = json.loads((folder / "r.json").read_bytes())
    deltas = {each["query"]: each["changes"][0]["delta"] for each in found["verdicts"]}
    assert deltas["bank/load[what=field]"] == 0
    assert deltas["bank/load[what=per_branch]"] == pytest.approx(0.005, abs=0.0005)
    assert deltas["bank/rate[clients=20]"] == deltas["bank/rate[clients=60]"] == 0
    assert "bank/load by what: Instructions per ask" in ended.out
    assert "speed-up b/a − 1" in ended.out
    picture = (folder / "r.svg").read_text()
    assert "bank/load by what" in picture
    assert "bank/rate by clients" in picture
    assert 'class="drawing"' in (folder / "r.html").read_text()


def test_a_name_without_values_asks_for_all_of_them(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD", "--query", "bank/load")

    assert ended.code == 0, ended.err
    assert "per_branch" in ended.out
    assert "clients" not in ended.out
