"""Variants of one revision, compared with the real valgrind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from countci.model import SEPARATE_CORES, Reason
from countci.placement import choose, here
from tests.real.bank import SOURCE, Repository, bank

pytestmark = pytest.mark.slow

TWICE = """
    if (getenv("BREAK")) return 3;
    if (getenv("TWICE") || argc == 4) n *= 2;
    unsigned long state = 1;"""
CONFIG = """
build = ["cc -O1 -g -o bank bank.c"]
[variant.twice]
env.TWICE = "1"
[variant.flag]
args = ["--twice"]
[variant.other]
env.OTHER = "1"
[variant.broken]
env.BREAK = "1"
[variant.one]
placement = "one-thread"
[variant.two]
placement = "separate-cores"
[variant.plain]
build = ["cc -O0 -g -o bank bank.c"]
"""
QUERIES = """
[query.field]
command = "./bank field {n}"
metrics = ["instructions"]
[query.cpus]
kind = "output"
command = "python3 -c 'import os; print(len(os.sched_getaffinity(0)))'"
metric.cpus = { match = "([0-9]+)", unit = "hardware threads", better = "higher" }
[query.timed]
command = "./bank field {n}"
metrics = ["time"]
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = bank(tmp_path_factory.mktemp("variants"))
    source = SOURCE.replace("    unsigned long state = 1;", TWICE, 1)
    source = source.replace("argc != 3", "argc < 3")
    made.commit(
        "Variants", bank_dot_c=source, countci_dot_toml=CONFIG, queries__bank_dot_toml=QUERIES
    )
    return made


def compared(repository: Repository, base: str, head: str, query: str = "field") -> dict[str, Any]:
    """Return the report of comparing the two, explanations left out."""
    path = repository.top.parent / "report.json"
    path.unlink(missing_ok=True)
    limit = ("--limit", "instructions=20x")  # what fails is explained, which takes its time
    ended = repository.countci(
        *("compare", base, head, "--query", f"bank/{query}", "--output", str(path), *limit)
    )
    assert path.is_file(), ended.err
    return {**json.loads(path.read_bytes()), "text": ended.out}


def counts(found: dict[str, Any]) -> list[float]:
    change = found["verdicts"][0]["changes"][0]
    return [change["base"], change["head"]]


@pytest.fixture(scope="module")
def plain(repository: Repository) -> float:
    """Return what an ask of the query takes without any variant."""
    return counts(compared(repository, "HEAD", "HEAD"))[0]


def test_an_environment_is_counted_on_its_side_alone_and_known_for_it_alone(
    repository: Repository, plain: float
) -> None:
    first = compared(repository, "HEAD", "HEAD+twice")
    again = compared(repository, "HEAD+twice", "HEAD")

    assert counts(first) == pytest.approx([plain, 2 * plain], rel=1e-4)
    assert counts(again) == counts(first)[::-1]
    assert [again["comparisons"][0][side]["stored"] for side in ("base", "head")] == [True, True]
    assert first["base"]["build"] == first["head"]["build"]
    assert [first[side]["variant"] for side in ("base", "head")] == ["", "twice"]
    assert "HEAD+twice" in first["text"]


def test_args_reach_the_program_and_its_build_is_shared(
    repository: Repository, plain: float
) -> None:
    found = compared(repository, "HEAD+flag", "HEAD+twice")

    assert counts(found) == pytest.approx([2 * plain, 2 * plain], rel=1e-4)
    assert found["base"]["build"] == found["head"]["build"]


def test_another_environment_is_never_identical_even_where_nothing_reads_it(
    repository: Repository, plain: float
) -> None:
    found = compared(repository, "HEAD", "HEAD+other")

    assert found["comparisons"][0].get("identity") is None
    # A few instructions of start-up lie on both of its points, and not always as many.
    assert counts(found) == pytest.approx([plain, plain], abs=0.1)
    assert compared(repository, "HEAD+other", "HEAD+other")["comparisons"][0]["identity"]


def test_a_build_of_its_own_is_built_and_counted(repository: Repository, plain: float) -> None:
    found = compared(repository, "HEAD", "HEAD+plain")

    assert found["base"]["build"] != found["head"]["build"]
    assert counts(found)[0] == plain < counts(found)[1]


@pytest.mark.parametrize(
    ("base", "head", "side"),
    [("HEAD", "HEAD+broken", "base or head"), ("HEAD+broken", "HEAD", "base")],
)
def test_each_side_of_a_timed_pair_is_asked_as_its_variant_says(
    repository: Repository, base: str, head: str, side: str
) -> None:
    found = compared(repository, base, head, "timed")

    # Only the side that is asked so ends with 3.
    assert found["comparisons"][0]["problem"]["problem"] == f"exit status 3 on {side}"


def test_a_variant_is_no_baseline(repository: Repository) -> None:
    ended = repository.countci("baseline", "record", "HEAD+twice")

    assert ended.code == 2
    assert "a variant is one side of a comparison" in ended.err


def test_each_side_is_timed_where_its_variant_is_placed(repository: Repository) -> None:
    found = compared(repository, "HEAD+one", "HEAD+two", "cpus")

    able = not isinstance(choose(SEPARATE_CORES, here()), Reason)
    (verdict,) = found["verdicts"]
    (change,) = verdict["changes"]
    assert [change["base"], change["head"]] == ([1, 2] if able else [None, None])
    assert verdict["kind"] == ("both" if able else "not measurable")
    assert found["status"] == ("pass" if able else "error")
    assert ("hardware thread" if able else "not measurable on this machine") in found["text"]


def test_a_placement_does_not_move_a_count_and_is_no_identity(
    repository: Repository, plain: float
) -> None:
    found = compared(repository, "HEAD", "HEAD+one")

    # A few instructions of start-up lie on both of its points, and not always as many.
    assert counts(found) == pytest.approx([plain, plain], abs=0.1)
    assert found["comparisons"][0].get("identity") is None
