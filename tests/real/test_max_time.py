"""`countci compare --max-time`: what was measured is reported, the rest is an error."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.real.bank import Repository, bank

pytestmark = pytest.mark.slow

# The second query waits until somebody ends it, on head only.
WAITS = """
[query.field]
command = "./bank field {n}"
metrics = ["instructions"]
[query.waits]
command = "sh -c 'if test -e wait; then exec sleep 4711; fi; exec ./bank field 1'"
metrics = ["instructions"]
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = bank(tmp_path)
    made.commit("A query that may wait", queries__bank_dot_toml=WAITS)
    made.commit("It waits", wait="\n")
    made.edit("And work", "FIELD_STEPS = 1000", "FIELD_STEPS = 1001")
    return made


def test_what_was_measured_in_time_is_reported_and_the_rest_is_an_error(
    repository: Repository, tmp_path: Path
) -> None:
    result = tmp_path / "result.json"

    ended = repository.countci(
        *("compare", "HEAD~2", "HEAD", "--max-time", "20s", "--output", str(result))
    )

    assert ended.code == 3, ended.err
    first, second = json.loads(result.read_text())["verdicts"]
    # Its counts are there, but that they repeat was not seen any more.
    assert first["changes"][0]["delta"] > 0
    assert (first["status"], second["status"]) == ("error", "error")
    assert second["changes"] == []
    assert second["problem"]["problem"].startswith("not measured within 20")
    assert not processes("4711")
    assert not (next((repository.cache / "countci").iterdir()) / "stage").exists()


def test_nothing_green_comes_of_no_time_at_all(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD~2", "HEAD", "--max-time", "1ms")

    assert ended.code == 3
    assert "not measured within" in ended.err


def test_another_countci_is_waited_for_no_longer_than_that(repository: Repository) -> None:
    first = repository.start("compare", "HEAD~2", "HEAD")
    try:
        while not any(lock.stat().st_size for lock in repository.cache.glob("countci/*/lock")):
            assert first.poll() is None
            time.sleep(0.05)
        ended = repository.countci("compare", "HEAD~2", "HEAD", "--max-time", "3s")
    finally:
        first.terminate()
        first.communicate()

    assert ended.code == 3
    assert "another countci holds" in ended.err
    assert "not free within" in ended.err


def test_a_limit_that_is_no_time_span_is_a_slip(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD", "--max-time", "soon")

    assert ended.code == 2
    assert "--max-time soon" in ended.err


def processes(word: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if word.encode() in words:
            found.append(str(path))
    return found
