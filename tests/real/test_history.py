"""log and bisect on a real program, whose commits move it by known amounts."""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from countci.model import Bisection, History
from tests.real.bank import CONFIG, Ended, Repository, bank

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Told:
    """A repository, and the commits that matter in it."""

    repository: Repository
    first: str
    slower: str
    broken: str
    failing: str
    faster: str


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return a history of eight commits: no-ops, two steps, a broken one, one that aborts."""
    made = bank(tmp_path_factory.mktemp("told"))
    first = made.git("rev-parse", "HEAD").strip()
    made.commit("A word", README_dot_md="a bank, that is\n")
    slower = made.edit("Field by 2 %", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    made.edit("A comment", "enum {", "/* steps */ enum {")
    broken = made.edit("Broken", "mix(state, BRANCH_STEPS)", "mix(state,")
    made.edit("Mended", "mix(state,;", "mix(state, BRANCH_STEPS);")
    failing = made.edit("Aborts", "while (n--) state = field(state)", "abort()")
    faster = made.edit("Less work", "abort()", "while (n--) state = field(state)")
    faster = made.edit("Field by -5 %", "FIELD_STEPS = 1020", "FIELD_STEPS = 969")
    return Told(made, first, slower, broken, failing, faster)


def log(told: Told, *words: str) -> tuple[History, Ended]:
    ended = told.repository.countci("log", *words, "--format", "json")
    assert ended.code == 0, ended.err
    return msgspec.json.decode(ended.out, type=History), ended


def bisect(repository: Repository, *words: str) -> tuple[Bisection, Ended]:
    ended = repository.countci("bisect", *words, "--no-explain", "--format", "json")
    assert ended.code == 0, ended.err
    return msgspec.json.decode(ended.out, type=Bisection), ended


def said(ended: Ended, what: str) -> list[str]:
    """Return the commits of which a step of that name was shown."""
    return re.findall(rf"  {what} ([0-9a-f]{{10}})", ended.err)


def test_a_history_names_each_step_by_its_commit_and_goes_on_after_gaps(told: Told) -> None:
    found, ended = log(told, f"{told.first}..HEAD")

    steps = [(step.query, step.commit.sha, round(step.delta, 3)) for step in found.steps]
    assert steps == [("bank/field", told.slower, 0.02), ("bank/field", told.faster, -0.05)]
    assert all(step.sure and not step.noise for step in found.steps)
    assert found.entries[0].commit.sha == told.first
    gaps = {each.commit.sha: each for each in found.entries}
    assert "exit status" in (gaps[told.broken].problem or pytest.fail("it was built")).problem
    readings = gaps[told.failing].readings
    assert "SIGABRT" in (readings["bank/field"].problem or pytest.fail("it ran")).problem
    assert abs(readings["bank/per_branch"].change or 0.0) < 0.001
    counted = Counter(said(ended, "count"))
    subjects = {each.commit.sha[:10]: each.commit.revision.subject for each in found.entries}
    assert set(counted.values()) == {1}
    # Built, and nothing that a query reads differs.
    for name in ("A word", "A comment"):
        assert next(sha for sha, subject in subjects.items() if subject == name) not in counted


def test_what_is_known_is_neither_built_nor_counted_again(told: Told) -> None:
    first, _ = log(told, f"{told.first}..{told.slower}")

    again, ended = log(told, f"{told.first}..{told.slower}")

    assert said(ended, "build") == []
    assert said(ended, "count") == []
    assert again.entries == first.entries
    assert again.steps == first.steps


def test_commits_that_touch_no_input_of_the_build_share_one(tmp_path: Path) -> None:
    made = bank(tmp_path)
    made.commit("Inputs", countci_dot_toml=f'build-inputs = ["bank.c"]\n{CONFIG}')
    made.commit("A word", README_dot_md="more\n")
    made.commit("Another", README_dot_md="more and more\n")

    ended = made.countci("log", "HEAD~2..HEAD")

    assert ended.code == 0, ended.err
    assert len(said(ended, "build")) == 1
    assert "3 commits, 0 steps" in ended.out


def test_each_third_commit_names_a_step_by_a_set_of_suspects(told: Told) -> None:
    found, _ = log(told, f"{told.first}..{told.slower}", "--every", "3")

    (step,) = found.steps
    assert found.left_out == 1
    assert len(step.suspects) == 2
    assert step.suspects[-1].sha == told.slower


def test_a_step_of_a_branch_is_its_commits_and_not_the_merges(tmp_path: Path) -> None:
    made = bank(tmp_path)
    made.git("checkout", "-q", "-b", "topic")
    slower = made.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    made.git("checkout", "-q", "main")
    made.commit("A word", README_dot_md="more\n")
    made.git("merge", "-q", "--no-ff", "topic", "-m", "Merge topic")

    full = made.countci("log", "HEAD~2..HEAD", "--full", "--format", "json")
    first = made.countci("log", "HEAD~2..HEAD", "--format", "json")

    by_full = msgspec.json.decode(full.out, type=History)
    by_first = msgspec.json.decode(first.out, type=History)
    assert [step.commit.sha for step in by_full.steps] == [slower]
    assert [step.commit.revision.subject for step in by_first.steps] == ["Merge topic"]


def test_every_form_is_written_at_once(told: Told, tmp_path: Path) -> None:
    outputs = [tmp_path / f"log.{suffix}" for suffix in ("txt", "md", "json", "svg")]
    words = [word for path in outputs for word in ("--output", str(path))]

    ended = told.repository.countci("log", "HEAD~1..HEAD", *words, PYTHONIOENCODING="ascii")

    assert ended.code == 0, ended.err
    assert ended.out.isascii()
    assert "−" in outputs[0].read_text()
    assert json.loads(outputs[2].read_text())["range"] == "HEAD~1..HEAD"
    assert ET.parse(outputs[3]).getroot().tag.endswith("svg")  # noqa: S314 - our own


def test_an_interrupted_history_goes_on_where_it_was(tmp_path: Path) -> None:
    made = bank(tmp_path)
    for steps in (1010, 1020, 1030, 1040, 1050):
        made.edit(f"To {steps}", f"FIELD_STEPS = {steps - 10}", f"FIELD_STEPS = {steps}")
    child = made.start("log", "HEAD~5..HEAD")
    assert child.stderr is not None
    before = []
    for line in child.stderr:
        before += re.findall(r"  count ([0-9a-f]{10})", line)
        if len(before) == 2:
            child.send_signal(signal.SIGTERM)
            break
    assert child.wait(60) == 130
    child.communicate()

    ended = made.countci("log", "HEAD~5..HEAD")

    assert ended.code == 0, ended.err
    assert not set(before[:1]) & set(said(ended, "count"))
    assert "5 steps" in ended.out


def test_builds_make_room_on_the_way_and_their_counts_stay(tmp_path: Path) -> None:
    made = bank(tmp_path)
    made.commit("Little room", countci_dot_toml=f'cache-size = "1 B"\n{CONFIG}')
    for steps in (1010, 1020, 1030, 1040):
        made.edit(f"To {steps}", f"FIELD_STEPS = {steps - 10}", f"FIELD_STEPS = {steps}")

    ended = made.countci("log", "HEAD~4..HEAD", "--query", "bank/field")

    assert ended.code == 0, ended.err
    assert "4 steps" in ended.out
    assert len(said(ended, "build")) == 5
    (places,) = (made.cache / "countci").iterdir()
    assert len(list((places / "builds").iterdir())) <= 3
    assert not list((places / "trash").iterdir())
    again = made.countci("log", "HEAD~4..HEAD", "--query", "bank/field")
    assert said(again, "build") == []


def test_nothing_measured_at_all_is_an_error(tmp_path: Path) -> None:
    made = bank(tmp_path)
    made.commit("Nothing builds", countci_dot_toml='build = ["false"]\n')

    ended = made.countci("log", "HEAD~1..HEAD")

    assert ended.code == 3
    assert "no commit could be measured" in ended.err


def test_bisect_finds_both_steps_and_measures_no_commit_twice(told: Told, tmp_path: Path) -> None:
    found, ended = bisect(
        told.repository, told.first, "HEAD", "bank/field", "--cache-dir", str(tmp_path)
    )

    steps = [(step.commit.sha, round(step.delta, 3)) for step in found.steps]
    assert steps[0] == (told.slower, 0.02)
    assert steps[1] == (told.faster, -0.05)
    assert abs(found.rest) < 1e-9
    assert set(Counter(said(ended, "build")).values()) == {1}
    shown = told.repository.countci("bisect", told.first, "HEAD", "bank/field")
    parent = told.repository.git("rev-parse", f"{told.slower}~1").strip()
    assert f"countci explain {parent[:10]} {told.slower[:10]} bank/field" in shown.out
    assert "Where it comes from" in shown.out


def test_bisect_names_a_set_where_a_commit_can_not_be_built(tmp_path: Path) -> None:
    made = bank(tmp_path)
    broken = made.edit("Broken, slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020 +")
    mended = made.edit("Mended", "1020 +", "1020")

    found, _ = bisect(made, "HEAD~2", "HEAD", "bank/field")

    (step,) = found.steps
    assert [each.sha for each in step.suspects] == [broken, mended]


def test_bisect_searches_nothing_where_the_ends_are_equal(told: Told) -> None:
    ended = told.repository.countci("bisect", told.first, "HEAD", "bank/per_branch")

    assert ended.code == 0, ended.err
    assert "nothing was searched" in ended.out


def test_bisect_refuses_a_query_that_differs_from_itself(tmp_path: Path) -> None:
    made = bank(tmp_path)
    clock = "#include <time.h>\nstatic int odd(void) { struct timespec t; "
    clock += "clock_gettime(CLOCK_MONOTONIC, &t); return 900 + t.tv_nsec / 97 % 200; }\n"
    made.edit("Restless", "static unsigned long field", f"{clock}static unsigned long field")
    made.edit("Restless too", "mix(state, FIELD_STEPS)", "mix(state, odd())")
    made.edit("Slower", "900 + t", "1900 + t")

    ended = made.countci("bisect", "HEAD~1", "HEAD", "bank/field")

    assert ended.code == 3, ended.out
    assert "unstable" in ended.err
    assert "the clock" in ended.err


@pytest.mark.parametrize(
    ("words", "problem", "remedy"),
    [
        (
            ("HEAD", "HEAD~2", "bank/field"),
            "is not an ancestor",
            "countci bisect HEAD~2 HEAD QUERY",
        ),
        (("HEAD~2", "HEAD", "bank"), "one query at a time", "bank/per_branch"),
        (("HEAD~2", "HEAD", "bank/fiel"), "no query matches", "did you mean bank/field"),
        (("HEAD~2", "HEAD", "bank/field", "--metric", "time"), "sampled", "instructions"),
        (("HEAD~2", "HEAD", "bank/field", "--limit", "2"), "100 % or more", "0.01"),
    ],
)
def test_bisect_says_what_to_type_instead(
    told: Told, words: tuple[str, ...], problem: str, remedy: str
) -> None:
    ended = told.repository.countci("bisect", *words)

    assert ended.code == 2, ended.out
    assert problem in ended.err
    assert remedy in ended.err


def test_bisect_refuses_an_end_that_can_not_be_built(told: Told) -> None:
    ended = told.repository.countci("bisect", told.broken, "HEAD", "bank/field")

    assert ended.code == 3
    assert "an end can't be measured" in ended.err
