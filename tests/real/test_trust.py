"""Counts that can be trusted: exact where the program is exact, honest where it is not.

Each test is a row of what is known to move a count, or of what users of such tools reported.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from countci import counting
from tests.real.bank import Repository, again, bank
from tests.real.counted import AND, FORKS, Bench, bench_at
from tests.real.test_compare import deltas, result, statuses

pytestmark = pytest.mark.slow

PYTHON = shlex.quote(str(Path(sys.executable).resolve()))
WAITS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
enum { MORE = 0 };
static double now(void)
{
    struct timeval t;
    gettimeofday(&t, 0);
    return t.tv_sec + t.tv_usec / 1e6;
}
int main(int argc, char **argv)
{
    volatile long count = 0;
    for (long n = atol(argv[1]); n--;) {
        double end = now() + 0.003;
        while (now() < end) count++;
        for (int i = 0; i < MORE; i++) count++;
    }
    puts("done");
    return 0;
}
"""
DRAWS = r"""
#include <stdlib.h>
#include <sys/random.h>
enum { MORE = 0 };
int main(int argc, char **argv)
{
    volatile long count = 0;
    unsigned char drawn = 0;
    if (getrandom(&drawn, 1, 0) != 1) return 1;
    for (long n = atol(argv[1]); n--;)
        for (int i = 0; i < 1000 + drawn + MORE; i++) count++;
    return 0;
}
"""
MOVING = """
[query.waits]
command = "./waits {n}"
[query.waits_fixed]
command = "./waits {n}"
fixed = ["clock"]
[query.draws]
command = "./draws {n}"
[query.draws_fixed]
command = "./draws {n}"
fixed = ["random"]
"""
CPP = """
#include <cstdlib>
#include <string>
int main(int, char **argv)
{
    std::string digits;
    for (long n = atol(argv[1]); n--;) digits += std::to_string(n);
    return 0;
}
"""
STRINGS = """
import sys
MORE = 0
words = [str(index) for index in range(2_000)]
for _ in range(int(sys.argv[1])):
    table = dict.fromkeys(words, 1)
    count = sum(table[word] for word in words if word in set(words[:50]))
    for _ in range(MORE):
        count += 1
print(count)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return bank(tmp_path_factory.mktemp("bank"))


@pytest.fixture
def repository(made: Repository) -> Repository:
    return again(made)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_at(tmp_path)


def changes(repository: Repository) -> dict[str, dict[str, Any]]:
    """Return the judged instructions of each query."""
    verdicts: Any = result(repository)["verdicts"]
    return {verdict["query"]: verdict["changes"][0] for verdict in verdicts}


def compared(repository: Repository) -> dict[str, Any]:
    """Return the raw data of each query."""
    found: Any = result(repository)["comparisons"]
    return {f"{each['query']['suite']}/{each['query']['name']}": each for each in found}


def codes(change: dict[str, Any]) -> list[str]:
    return [reason["code"] for reason in change["reasons"]]


def test_what_the_clock_and_random_numbers_move_is_unstable_and_exact_once_they_are_fixed(
    repository: Repository,
) -> None:
    build = 'build = ["cc -O1 -o waits waits.c", "cc -O1 -o draws draws.c"]\n'
    repository.commit(
        "Moving",
        waits_dot_c=WAITS,
        draws_dot_c=DRAWS,
        countci_dot_toml=build,
        queries__bank_dot_toml=MOVING,
    )
    repository.edit("More", "MORE = 0", "MORE = 2", file="waits.c")
    repository.edit("More", "MORE = 0", "MORE = 2", file="draws.c")

    ended = repository.countci("compare", "HEAD~2", "HEAD", "--no-time")

    assert ended.code in {0, 4}, ended.out + ended.err  # never a regression
    seen = changes(repository)
    assert seen["bank/waits"]["status"] in {"unsettled", "pass"}  # on a slower moment, it "saved"
    assert "unstable" in codes(seen["bank/waits"])
    assert '`fixed = ["clock"]`' in ended.out.replace("\n      ", " ")
    assert seen["bank/draws"]["noise"] > 0
    assert compared(repository)["bank/draws"]["head"]["causes"] == ["random"]
    for fixed in ("bank/waits_fixed", "bank/draws_fixed"):
        assert seen[fixed]["status"] == "pass"
        assert 0 < seen[fixed]["delta"] < 0.01
        assert seen[fixed]["noise"] < 0.001


def test_strings_in_dicts_repeat_exactly_and_near_the_limit_other_seeds_are_tried(
    repository: Repository,
) -> None:
    query = f"[query.strings]\ncommand = {json.dumps(f'{PYTHON} -S strings.py {{n}}')}\n"
    repository.commit(
        "Strings",
        strings_dot_py=STRINGS,
        countci_dot_toml="build = []\n",
        queries__bank_dot_toml=query,
    )
    repository.edit("More", "MORE = 0", "MORE = 260", file="strings.py")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code in {0, 1, 4}, ended.out + ended.err
    assert 0.005 <= changes(repository)["bank/strings"]["delta"] <= 0.015
    head, base = (compared(repository)["bank/strings"][side] for side in ("head", "base"))
    counts = head["counts"]["instructions"]
    same = [again for again in counts["again"] if not again.get("seed")]
    assert [again["points"] for again in same] == [counts["points"][:1]]
    for side in (head, base):
        seeds = {again.get("seed", 0) for again in side["counts"]["instructions"]["again"]}
        assert seeds >= {1, 2}


def test_an_edited_readme_reads_exactly_0_for_cpp_and_python(repository: Repository) -> None:
    script = f"{PYTHON} strings.py {{n}}"
    repository.commit(
        "Two languages",
        main_dot_cpp=CPP,
        strings_dot_py=STRINGS.replace("2_000", "200"),
        countci_dot_toml='build = ["c++ -O1 -g -o main main.cpp"]\n',
        queries__bank_dot_toml='[query.cpp]\ncommand = "./main {n}"\n'
        f"[query.python]\ncommand = {json.dumps(script)}\n",
    )
    repository.commit("Docs", README_dot_md="explained\n")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 0, ended.out + ended.err
    assert deltas(repository) == {"bank/cpp": 0, "bank/python": 0}
    assert all("head" not in each or not each["head"] for each in compared(repository).values())


def test_what_ci_sets_in_the_environment_moves_nothing(repository: Repository) -> None:
    totals = []
    for ref in ("refs/heads/main", "refs/pull/123456789/merge-of-something-long"):
        shutil.rmtree(repository.cache, ignore_errors=True)
        words = ("count", "HEAD", "--query", "bank/field", "--format", "json")
        ended = repository.countci(*words, GITHUB_REF=ref, GITHUB_TOKEN="t" * len(ref), CI="true")
        assert ended.code == 0, ended.err
        totals.append(json.loads(ended.out)["measurements"][0]["counts"])

    assert totals[0] == totals[1]


@pytest.mark.parametrize("both", [False, True], ids=["on base", "on both"])
def test_a_crash_of_base_is_an_error_and_no_new_query(
    repository: Repository, *, both: bool
) -> None:
    crash = "*(volatile int *)0 = 1; unsigned long state = 1;"
    repository.edit("Broken", "unsigned long state = 1;", crash)
    if both:
        repository.commit("Docs", README_dot_md="still broken\n")
    else:
        repository.edit("Mended", crash, "unsigned long state = 1;")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time", "--query", "bank/field")

    assert ended.code == 3, ended.out + ended.err
    assert "SIGSEGV" in ended.out
    assert statuses(repository) == {"bank/field": "error"}


def test_output_that_must_stay_the_same_is_an_error_once_it_changes(
    repository: Repository,
) -> None:
    suite = '[query.field]\ncommand = "./bank field {n}"\noutput = "same"\n'
    repository.commit("Same", queries__bank_dot_toml=suite)
    repository.edit("Other words", r'printf("%d\n"', r'printf("%2d\n"')

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 3, ended.out + ended.err
    assert codes(changes(repository)["bank/field"])[0] == "output-not-same"


def test_a_python_that_ignores_the_hash_seed_is_refused(repository: Repository) -> None:
    command = json.dumps(f"{PYTHON} -I strings.py {{n}}")
    repository.commit(
        "Isolated", strings_dot_py=STRINGS, queries__bank_dot_toml=f"[query.a]\ncommand={command}\n"
    )

    ended = repository.countci("compare", "HEAD", "HEAD", "--no-time")

    assert ended.code == 3, ended.out + ended.err
    assert "ignores PYTHONHASHSEED" in ended.out


def test_a_condition_that_never_runs_costs_what_its_removal_saves(bench: Bench) -> None:
    bench.compile("before", AND)
    bench.compile("after", AND.replace("never && sometimes", "never"))

    assert bench.total("./after") == pytest.approx(bench.total("./before"), rel=0.01)


def test_four_forked_children_count_only_their_own_work(bench: Bench) -> None:
    bench.compile("forks", FORKS)
    made = bench.runs.parent / "libraries"
    request = replace(
        bench.request("./forks"), forks=lambda: counting.preload("forks", made, bench.env)
    )
    first, second = (bench.outcomes(request)["q"].measurement for _ in range(2))

    assert first is not None
    assert second is not None
    assert first.counter == "callgrind"
    assert first.counts["instructions"].per_ask == pytest.approx(84.1e6, rel=0.001)
    assert first.counts == second.counts
    names = [re.sub(r"/.*/", "", name) for name in first.processes]
    assert names == ["forks", *["forked by forks"] * 4]


def test_forks_are_compared_by_the_whole_job(repository: Repository) -> None:
    repository.commit(
        "Forks",
        forks_dot_c=FORKS.replace(
            "int main(void)\n{\n", "enum { MORE = 0 };\nint main(void)\n{\n    work(MORE);\n"
        ),
        countci_dot_toml='build = ["cc -O1 -o forks forks.c"]\n',
        queries__bank_dot_toml='[query.forks]\ncommand = "./forks"\nmetrics = ["instructions"]\n',
    )
    repository.edit("More", "MORE = 0", "MORE = 400000", file="forks.c")

    ended = repository.countci("compare", "HEAD~1", "HEAD")

    assert ended.code == 1, ended.out + ended.err
    change = changes(repository)["bank/forks"]
    assert change["delta"] == pytest.approx(2.4e6 / 84.1e6, rel=0.01)
    assert change["noise"] == 0
    assert "5 processes were counted together" in ended.out


def test_the_doctor_finds_what_moves_a_query(repository: Repository) -> None:
    repository.commit(
        "Draws",
        draws_dot_c=DRAWS,
        countci_dot_toml='build = ["cc -O1 -o draws draws.c"]\n',
        queries__bank_dot_toml='[query.draws]\ncommand = "./draws {n}"\n',
    )

    ended = repository.countci("doctor", "--query", "bank/draws")

    assert ended.code == 0, ended.err
    assert 'fixed = ["random"]' in ended.out
