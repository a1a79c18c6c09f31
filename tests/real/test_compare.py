"""The whole job, on a real repository, with the real valgrind."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.real.bank import SOURCE, SUITE, Repository, again, bank

pytestmark = pytest.mark.slow

KILLS = 8
"""One in each part of a run."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return bank(tmp_path_factory.mktemp("bank"))


@pytest.fixture
def repository(made: Repository) -> Repository:
    return again(made)


def result(repository: Repository) -> dict[str, object]:
    """Return the newest result.json of the repository."""
    newest = max((repository.top / ".countci/results").iterdir())
    found = json.loads((newest / "result.json").read_bytes())
    assert isinstance(found, dict)
    return found


def statuses(repository: Repository) -> dict[str, str]:
    return {each["query"]: each["status"] for each in result(repository)["verdicts"]}  # type: ignore[attr-defined]


def deltas(repository: Repository) -> dict[str, float]:
    """Return the instructions' delta of each query."""
    return {
        verdict["query"]: change["delta"]
        for verdict in result(repository)["verdicts"]  # type: ignore[attr-defined]
        for change in verdict["changes"]
        if change["metric"] == "instructions"
    }


def test_two_percent_more_in_one_query_fails_exactly_that_query(repository: Repository) -> None:
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 1, ended.err
    assert statuses(repository) == {"bank/field": "fail", "bank/per_branch": "pass"}
    assert deltas(repository)["bank/field"] == pytest.approx(0.02, abs=0.001)
    assert deltas(repository)["bank/per_branch"] == 0


def test_half_a_percent_more_passes_and_is_shown(repository: Repository) -> None:
    repository.edit("A bit slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1005")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 0, ended.err
    assert deltas(repository)["bank/field"] == pytest.approx(0.005, abs=0.0005)
    assert "+0.50" in ended.out


def test_a_limit_on_the_command_line_is_the_one_that_judges(repository: Repository) -> None:
    repository.edit("A bit slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1005")

    ended = repository.countci(
        "compare", "HEAD~1", "HEAD", "--no-time", "--limit", "instructions=0.4%"
    )

    assert ended.code == 1, ended.err


def test_the_same_commit_twice_reads_exactly_0(repository: Repository) -> None:
    ended = repository.countci("compare", "HEAD", "HEAD")

    assert ended.code == 0, ended.err
    assert deltas(repository) == {"bank/field": 0, "bank/per_branch": 0}


def test_a_commit_that_only_edits_the_readme_reads_exactly_0_and_is_not_counted(
    repository: Repository,
) -> None:
    repository.commit("Docs", README_dot_md="a bank, explained\n")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 0, ended.err
    assert deltas(repository) == {"bank/field": 0, "bank/per_branch": 0}
    comparisons = result(repository)["comparisons"]
    assert [each["identity"]["differs"] for each in comparisons] == [["README.md"]] * 2  # type: ignore[attr-defined]
    assert all(each.get("head") is None for each in comparisons)  # type: ignore[attr-defined]
    assert "README.md" in ended.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("int main(", "int main(;", "error: expected"),
        ("unsigned long state = 1;", "*(volatile int *)0 = 1; unsigned long state = 1;", "SIGSEGV"),
        ("unsigned long state = 1;", "return 3; unsigned long state = 1;", "exit status 3"),
        (
            "unsigned long state = 1;",
            'fprintf(stderr, "no such account\\n"); return 3; unsigned long state = 1;',
            "no such account",
        ),
        ("unsigned long state = 1;", "for (;;); unsigned long state = 1;", "still running after"),
    ],
    ids=["does not build", "segfault", "exit status", "own words", "hangs"],
)
def test_what_head_cannot_do_is_an_error_with_the_reason(
    repository: Repository, old: str, new: str, said: str
) -> None:
    repository.commit("Soon", queries__bank_dot_toml=SUITE + 'timeout = "1s"\n')
    repository.edit("Broken", old, new)

    ended = repository.countci(
        "compare", "HEAD~1", "HEAD", "--no-time", "--query", "bank/per_branch"
    )

    assert ended.code == 3, ended.err
    assert said in ended.out + ended.err


def test_one_broken_query_does_not_stop_the_others(repository: Repository) -> None:
    repository.edit("Broken", "state = field(state)", "abort()")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 3, ended.err
    assert statuses(repository) == {"bank/field": "error", "bank/per_branch": "pass"}
    assert "SIGABRT" in ended.out


def test_a_query_that_vanished_is_an_error(repository: Repository) -> None:
    repository.commit("Fewer", queries__bank_dot_toml=SUITE.split("[query.per_branch]")[0])

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 3, ended.err
    assert statuses(repository)["bank/per_branch"] == "error"
    assert "gone" in ended.out


def test_a_query_that_base_cannot_run_is_new_and_not_judged(repository: Repository) -> None:
    more = SUITE + '[query.both]\ncommand = "./bank both {n}"\n'
    source = SOURCE.replace(
        "else return 2;\n    printf",
        'else if (!strcmp(argv[1], "both")) '
        "while (n--) state = field(per_branch(state));\n    else return 2;\n    printf",
    )
    repository.commit("More", queries__bank_dot_toml=more, bank_dot_c=source)

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 0, ended.err
    kinds = {each["query"]: each["kind"] for each in result(repository)["verdicts"]}  # type: ignore[attr-defined]
    assert kinds == {"bank/field": "both", "bank/per_branch": "both", "bank/both": "new"}


def test_a_new_query_that_head_cannot_run_is_no_new_query(repository: Repository) -> None:
    only_timed = '[query.both]\ncommand = "./bank both {n}"\nmetrics = ["time"]\n'
    repository.commit("More", queries__bank_dot_toml=SUITE + only_timed)

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/both")

    assert ended.code == 3, ended.err
    assert "exit status 2 on head" in ended.out


def test_output_that_collapses_with_the_count_is_an_error(repository: Repository) -> None:
    repository.edit("Nothing", "while (n--) state = field(state);", "return 0;")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time", "--query", "bank/field")

    assert ended.code == 3, ended.out + ended.err


def test_the_second_run_counts_nothing_and_says_the_same(repository: Repository) -> None:
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    first = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    second = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert (first.code, second.code) == (1, 1)
    comparisons = result(repository)["comparisons"]
    assert all(each["base"]["stored"] and each["head"]["stored"] for each in comparisons)  # type: ignore[attr-defined]


def test_uncommitted_work_is_compared_and_left_alone(repository: Repository) -> None:
    source = repository.top / "bank.c"
    source.write_text(SOURCE.replace("FIELD_STEPS = 1000", "FIELD_STEPS = 1100"))
    before = repository.git("status", "--porcelain=v2")

    ended = repository.countci("compare", "--worktree", "--no-time")

    assert ended.code == 1, ended.err
    assert statuses(repository)["bank/field"] == "fail"
    assert repository.git("status", "--porcelain=v2") == before


def test_time_is_measured_in_pairs_and_written_for_pyperf(repository: Repository) -> None:
    repository.edit("Much slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1500")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/field")

    assert ended.code == 1, ended.err
    changes = result(repository)["verdicts"][0]["changes"]  # type: ignore[index]
    assert {each["metric"]: each["status"] for each in changes} == {
        "instructions": "fail",
        "time": "fail",
    }
    newest = max((repository.top / ".countci/results").iterdir())
    assert {"base.pyperf.json", "head.pyperf.json", "commands.sh"} <= {
        path.name for path in newest.iterdir()
    }


def snapshot(repository: Repository) -> dict[str, str]:
    """Return a digest and the times of every file of the checkout and of .git."""
    found = {}
    for path in sorted(repository.top.rglob("*")):
        if ".countci" in path.parts:
            continue
        about = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        digest = hashlib.sha256(content).hexdigest()
        found[str(path)] = f"{digest} {about.st_mode} {about.st_mtime_ns}"
    return found


def left_behind(repository: Repository) -> list[str]:
    """Return processes whose working directory, program or command is below the cache."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                seen = [str((entry / link).readlink()) for link in ("cwd", "exe")]
            except OSError:
                continue
            if any(each.startswith(str(repository.cache)) for each in seen):
                found.append(f"{entry.name} {seen}")
    return found


def test_killed_at_any_moment_the_next_run_says_the_same_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    repository = bank(tmp_path)
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    before = snapshot(repository)
    begun = time.monotonic()
    assert repository.countci("compare", "HEAD~1", "HEAD").code == 1
    whole = time.monotonic() - begun
    chance = random.Random(20)

    for part in range(KILLS):
        subprocess.run(["rm", "-rf", str(repository.cache)], check=True)
        child = repository.start("compare", "HEAD~1", "HEAD")
        time.sleep(whole * (part + chance.random()) / KILLS)
        child.send_signal(signal.SIGKILL)
        child.communicate()

        ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

        assert ended.code == 1, ended.err
        assert statuses(repository) == {"bank/field": "fail", "bank/per_branch": "pass"}
        assert left_behind(repository) == []
    assert snapshot(repository) == before
    cache = next((repository.cache / "countci").iterdir())
    assert not list((cache / "trash").iterdir())
    assert not list((cache / "runs").iterdir())
    assert not (cache / "stage").exists() or not list((cache / "stage").iterdir())


def test_interrupted_it_says_so_and_leaves_nothing_running(tmp_path: Path) -> None:
    repository = bank(tmp_path)
    child = repository.start("compare", "HEAD", "HEAD")
    assert child.stderr is not None
    next(line for line in child.stderr if "count base" in line)

    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)

    assert child.returncode == 130, err
    assert left_behind(repository) == []
