"""Numbers that a program prints, compared between two revisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.bank import Repository, bank

pytestmark = pytest.mark.slow

SUITE = """
[query.calls]
kind = "output"
command = "./load"
metric.rate = { match = '^rate: ([0-9.]+)$', unit = "calls/s", better = "higher" }
metric.p99 = { json = "latency.p99", unit = "ms", limit = "1.5x" }
"""
LOAD = """#!/bin/sh
echo 'rate: 3000.5'
echo '{"latency": {"p99": 4.0}}'
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    made.write(countci_dot_toml="build = []\n", queries__bank_dot_toml=SUITE, load=LOAD)
    (made.top / "load").chmod(0o755)
    made.commit("A load")
    return made


def changes(repository: Repository) -> dict[str, Any]:
    """Return what the newest result tells of each metric."""
    newest = max((repository.top / ".countci/results").iterdir())
    found = json.loads((newest / "result.json").read_bytes())
    return {each["metric"]: each for each in found["verdicts"][0]["changes"]}


def test_a_rate_that_falls_fails_and_a_percentile_within_its_limit_passes(
    repository: Repository,
) -> None:
    repository.edit("Slower", "3000.5", "2800.5", file="load")
    repository.edit("Later", "4.0", "5.9", file="load")

    ended = repository.countci("compare", "HEAD~2", "HEAD")

    assert ended.code == 1, ended.err
    found = changes(repository)
    assert found["rate"]["status"] == "fail"
    assert found["rate"]["delta"] == pytest.approx(2800.5 / 3000.5 - 1)
    assert found["rate"]["pairs"] == 20
    assert found["p99"]["status"] == "pass"
    assert found["p99"]["delta"] == pytest.approx(0.475)
    assert "−6.7 %" in ended.out.replace("\N{NO-BREAK SPACE}", " ")
    assert "calls/s" in ended.out


def test_a_rate_that_rises_is_an_improvement(repository: Repository) -> None:
    repository.edit("Faster", "3000.5", "4000.5", file="load")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 0, ended.err
    assert "1 improved" in ended.out


def test_output_without_the_number_is_an_error_that_shows_what_was_printed(
    repository: Repository,
) -> None:
    repository.edit("Broken", "rate: 3000.5", "rate: none", file="load")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 3, ended.out
    assert "there is no rate" in ended.out
    assert "rate: none" in ended.out


def test_without_time_there_is_nothing_to_measure_and_it_says_so(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 2
    assert "no query measures instructions" in ended.err


def test_instructions_of_the_same_command_are_counted_where_they_are_asked_for(
    repository: Repository,
) -> None:
    text = SUITE + 'metrics = ["instructions", "rate"]\n'
    repository.commit("Count it", queries__bank_dot_toml=text.replace("metric.p99", "#"))
    repository.edit("Other words", "#!/bin/sh", "#!/bin/sh\n: nothing", file="load")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code in {0, 1}, ended.err
    assert set(changes(repository)) == {"instructions", "rate"}
    assert changes(repository)["rate"]["status"] == "pass"
