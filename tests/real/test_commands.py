"""Every command beside compare, on a real repository."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import countci
from tests.real.bank import CONFIG, SUITE, Repository, again, bank

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return bank(tmp_path_factory.mktemp("bank"))


@pytest.fixture
def repository(made: Repository) -> Repository:
    return again(made)


def test_the_version_is_the_packages(repository: Repository) -> None:
    assert countci.__version__ in repository.countci("--version").out


def test_count_prints_every_query_of_one_revision(repository: Repository) -> None:
    ended = repository.countci("count", "HEAD", "--format", "json")

    assert ended.code == 0, ended.err
    tally = json.loads(ended.out)
    assert [each["query"] for each in tally["measurements"]] == ["bank/field", "bank/per_branch"]
    points = tally["measurements"][0]["counts"]["instructions"]["points"]
    slope = (points[-1]["total"] - points[-2]["total"]) / (points[-1]["n"] - points[-2]["n"])
    assert 3000 <= slope <= 8000  # a thousand rounds of a few instructions


def test_count_names_what_could_not_be_counted(repository: Repository) -> None:
    repository.edit("Broken", "state = field(state)", "abort()")

    ended = repository.countci("count")

    assert ended.code == 3, ended.err
    assert "bank/per_branch" in ended.out
    assert "SIGABRT" in ended.out


def test_time_measures_only_pairs(repository: Repository) -> None:
    repository.edit("Much slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1500")

    ended = repository.countci("time", "HEAD~1", "HEAD", "--query", "bank/field")

    assert ended.code == 1, ended.err
    assert "Time per ask" in ended.out
    assert "Instructions per ask" not in ended.out


def test_a_result_is_shown_again_with_the_same_exit_code(repository: Repository) -> None:
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    first = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")
    folder = next((repository.top / ".countci/results").iterdir())

    again = repository.countci("report", str(folder))

    assert (first.code, again.code) == (1, 1)
    assert again.out == first.out


def test_reports_are_written_in_the_format_of_their_names(
    repository: Repository, tmp_path: Path
) -> None:
    names = ["a.md", "a.json", "a.txt"]
    (tmp_path / "out").mkdir()
    outputs = [word for name in names for word in ("--output", str(tmp_path / "out" / name))]

    ended = repository.countci("compare", "HEAD", "HEAD", *outputs, "--format", "markdown")

    assert ended.code == 0, ended.err
    assert ended.out == (tmp_path / "out/a.md").read_text()
    assert json.loads((tmp_path / "out/a.json").read_text())["status"] == "pass"
    assert "identical" in (tmp_path / "out/a.txt").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "nosuch"), "nosuch"),
        (("compare", "HEAD", "HEAD", "--query", "bank/fild"), "bank/field"),
        (("compare", "HEAD", "HEAD", "--limit", "instructions=2,5%"), "2.5%"),
        (("compare", "HEAD", "HEAD", "--limit", "instrs=2%"), "instructions, time"),
        (("compare", "HEAD", "HEAD", "--format", "xml"), "markdown"),
        (("compare", "HEAD", "HEAD", "--output", "report.yaml"), ".md"),
        (("report", "pyproject.toml"), "pyproject.toml"),
        (("compre",), "compre"),
    ],
)
def test_a_slip_ends_with_2_and_says_what_to_type(
    repository: Repository, words: tuple[str, ...], said: str
) -> None:
    ended = repository.countci(*words)

    assert ended.code == 2, ended.err
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_without_any_query_nothing_is_green(repository: Repository) -> None:
    repository.git("rm", "-q", "-r", "queries")
    repository.commit("No queries")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 2
    assert "countci init" in ended.err


def test_without_valgrind_it_says_how_to_get_it(repository: Repository, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("git", "cc", "as", "ld"):
        (tools / name).symlink_to(str(shutil.which(name)))

    ended = repository.countci("compare", "HEAD", "HEAD", PATH=str(tools))

    assert ended.code == 3
    assert "apt-get install valgrind" in ended.err


def test_a_configuration_outside_the_repository_serves_any_history(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("rm", "-q", "-r", "countci.toml", "queries")
    base = repository.commit("Without countci")
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    (tmp_path / "mine/queries").mkdir(parents=True)
    (tmp_path / "mine/countci.toml").write_text(CONFIG)
    (tmp_path / "mine/queries/bank.toml").write_text(SUITE)

    ended = repository.countci(
        "compare", base, "HEAD", "--no-time", "--config", str(tmp_path / "mine/countci.toml")
    )

    assert ended.code == 1, ended.err


def test_doctor_prints_the_fingerprint(repository: Repository) -> None:
    ended = repository.countci("doctor")

    assert ended.code == 0, ended.out + ended.err
    assert "valgrind" in ended.out


def test_a_setup_runs_once_a_build_and_is_part_of_what_a_query_reads(
    repository: Repository,
) -> None:
    suite = 'setup = "sh make.sh {work}"\n' + SUITE
    repository.commit("Setup", queries__bank_dot_toml=suite, make_dot_sh='echo one > "$1/data"\n')
    repository.commit("Other data", make_dot_sh='echo two > "$1/data"\n')

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time", "--format", "json")

    assert ended.code == 0, ended.err
    comparisons = json.loads(ended.out)["comparisons"]
    assert all(each.get("identity") is None for each in comparisons)


def test_init_writes_what_the_gate_then_runs(tmp_path: Path) -> None:
    made = bank(tmp_path)
    made.git("rm", "-q", "-r", "countci.toml", "queries")
    made.commit(
        "Plain project", Makefile="bank: bank.c\n\tcc -O1 -o bank bank.c\n", README_dot_md="x\n"
    )

    wrote = made.countci("init")
    ended = made.countci("compare", "HEAD", "HEAD", "--config", "countci.toml")

    assert wrote.code == 0, wrote.err
    assert ended.code in {0, 3}, ended.err
    assert "Traceback" not in ended.err


def test_the_last_run_is_shown_when_none_is_named(repository: Repository) -> None:
    assert repository.countci("report").code == 2
    first = repository.countci("compare", "HEAD", "HEAD", "--no-time")

    assert repository.countci("report").out == first.out


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_measured(
    repository: Repository, tmp_path: Path
) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD", "--output", str(tmp_path / "no/such.md"))

    assert ended.code == 2
    assert "mkdir -p" in ended.err
    assert not (tmp_path / "no").exists()
    assert not (repository.top / ".countci").exists()


def test_a_head_beside_uncommitted_work_is_refused(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD", "--worktree")

    assert ended.code == 2
    assert "leave one of the two out" in ended.err
