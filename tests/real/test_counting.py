"""Real programs under real valgrind: exact, or an error that says why."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from countci import counting
from countci.counting import Count, Counted, Outcome, count_all, environment, run_watched
from countci.model import Problem
from countci.process import Command
from countci.progress import Silent
from countci.units import Seconds

pytestmark = pytest.mark.slow

AND = """
#include <stdio.h>
#include <stdlib.h>
volatile int never = 0, sometimes = 1;
int main(int argc, char **argv)
{
    int hits = 0, steps = argc * 1000000;
    for (int i = 0; i < steps; i++)
        if (never && sometimes)
            hits++;
    printf("%d\\n", hits);
    return 0;
}
"""
WORK = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile long sum = 0;
    for (long ask = atol(argv[1]); ask--;)
        for (long step = atol(argv[2]); step--;)
            sum += step;
    printf("%ld\\n", sum);
    return 0;
}
"""
FORKS = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sum;
static void work(long n) { for (long i = 0; i < n; i++) sum += i; }
int main(void)
{
    work(10000000);
    for (int i = 0; i < 4; i++)
        if (!fork()) { work(1000000); exit(0); }
    while (wait(NULL) > 0) {}
    return 0;
}
"""
SPAWNS = """
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
extern char **environ;
static void *nothing(void *argument) { return argument; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    char *argv[] = {"/bin/true", "spawned", NULL};
    pid_t child;
    posix_spawn(&child, "/bin/true", NULL, NULL, argv, environ);
    waitpid(child, NULL, 0);
    return system("/bin/echo by system");
}
"""
CRASH = """
#include <stdio.h>
int main(void) { fputs("about to crash\\n", stderr); *(volatile int *)0 = 1; return 0; }
"""
KILLED = """
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(void)
{
    char *argv[] = {"/bin/sleep", "60", NULL};
    pid_t child;
    posix_spawn(&child, "/bin/sleep", NULL, NULL, argv, environ);
    sleep(2);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return 0;
}
"""
WIDE = """
int main(void) { __asm__ volatile("vpxorq %%zmm0,%%zmm0,%%zmm0" ::: "xmm0"); return 0; }
"""


@dataclass(frozen=True)
class Bench:
    """A stage with compiled programs."""

    stage: Path
    runs: Path

    def compile(self, name: str, source: str, *flags: str) -> None:
        path = self.stage / f"{name}.c"
        path.write_text(source)
        subprocess.run(["cc", "-O1", "-o", name, path, *flags], cwd=self.stage, check=True)

    @property
    def env(self) -> dict[str, str]:
        return environment({"PATH": "/usr/bin:/bin"}, home=self.stage.parent / "home")

    def asks(self, line: str) -> counting.Asks:
        def ask(n: int) -> Command:
            words = tuple(word.replace("{n}", str(n)) for word in shlex.split(line))
            return Command(argv=words, env=self.env, cwd=self.stage, timeout=Seconds(20.0))

        return ask

    def request(
        self, line: str, *, points: tuple[int, ...] | None = None, name: str = "q"
    ) -> Count:
        return Count(
            query=name,
            build="key",
            fingerprint="print",
            asks=self.asks(line),
            repeats="{n}" in line,
            stage=self.stage,
            folder=self.runs / name,
            points=points,
            trace=True,
        )

    def outcomes(self, *requests: Count) -> dict[str, Outcome]:
        return count_all(requests, jobs=2, progress=Silent())

    def counted(self, line: str, points: tuple[int, ...] | None = None) -> Counted:
        outcome = self.outcomes(self.request(line, points=points))["q"]
        assert outcome.measurement is not None, outcome.problem
        return Counted(measurement=outcome.measurement, notes=outcome.notes)

    def total(self, line: str) -> int:
        return self.counted(line).measurement.counts["instructions"].points[0].total

    def problem(self, line: str) -> Problem:
        problem = self.outcomes(self.request(line))["q"].problem
        assert problem is not None
        return problem


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "stage").mkdir()
    return Bench(stage=tmp_path / "stage", runs=tmp_path / "runs")


def test_a_condition_that_never_runs_is_not_counted(bench: Bench) -> None:
    bench.compile("loop", AND)

    assert bench.total("./loop") == pytest.approx(6_124_765, rel=0.01)


def test_the_same_build_counts_the_same_to_the_last_instruction_under_load(bench: Bench) -> None:
    bench.compile("work", WORK)
    hogs = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        names = [f"q{index}" for index in range(4)]
        requests = [bench.request("./work {n} 500", points=(10, 20), name=name) for name in names]
        outcomes = bench.outcomes(*requests).values()
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    counts = {
        outcome.measurement.counts["instructions"] for outcome in outcomes if outcome.measurement
    }

    assert len(outcomes) == 4
    assert len(counts) == 1
    assert not any(bench.runs.iterdir())


def test_the_points_are_chosen_and_the_slope_is_exact(bench: Bench) -> None:
    bench.compile("work", WORK)
    counts = bench.counted("./work {n} 1000").measurement.counts["instructions"]

    assert [point.n for point in counts.points[:2]] == [10, 20]
    assert counts.points[-1].total - counts.points[1].total == pytest.approx(20_000_000, rel=0.01)
    assert abs(counts.bend or 0) < 0.001


def test_more_asks_that_are_no_more_work_are_an_error(bench: Bench) -> None:
    bench.compile("work", WORK)

    assert "more asks are no more work" in bench.problem("./work 3 10 {n}").problem


def test_forked_children_are_an_error_and_never_added_up(bench: Bench) -> None:
    bench.compile("forks", FORKS)
    problem = bench.problem("./forks")

    assert problem.problem == "4 forked without starting a program: they can't be counted"
    assert "in one process" in problem.detail


def test_children_that_exec_are_added_up_and_named(bench: Bench) -> None:
    bench.compile("spawns", SPAWNS, "-pthread")
    measurement = bench.counted("./spawns").measurement

    programs = [Path(name.partition(" ")[0]).name for name in measurement.processes]

    assert programs[:3] == ["spawns", "true", "sh"]  # a shell may exec the last command, or not
    assert measurement.output.size == len("by system\n")


def test_pythons_subprocess_is_followed_though_it_closes_all_files(bench: Bench) -> None:
    script = "from subprocess import run; run(['/bin/true']); run('exec /bin/true', shell=True)"
    measurement = bench.counted(shlex.join(["/usr/bin/python3", "-c", script])).measurement

    assert len(measurement.processes) == 3
    assert measurement.reads is not None
    assert "/usr/bin/true" in measurement.reads.outside


def test_a_pipeline_and_env_are_seen_through(bench: Bench) -> None:
    bench.compile("work", WORK)

    assert len(bench.counted("sh -c './work 1 1 | cat'").measurement.processes) == 3
    assert bench.total("env X=1 ./work 1 1") == pytest.approx(bench.total("./work 1 1"), rel=0.02)


def test_a_child_that_was_killed_is_an_error(bench: Bench) -> None:
    bench.compile("killed", KILLED)

    # On a slow machine it is killed before it has even begun its own program.
    assert re.match("left no count|1 forked without", bench.problem("./killed").problem)


def test_failures_are_named_and_keep_no_other_query_from_being_counted(bench: Bench) -> None:
    bench.compile("crash", CRASH)
    bench.compile("work", WORK)
    outcomes = bench.outcomes(
        bench.request("./crash", name="crash"),
        bench.request("sh -c 'echo no such branch >&2; exit 3'", name="three"),
        bench.request("./missing", name="missing"),
        bench.request("./work 1 1", name="works"),
    )
    problems = {name: outcome.problem for name, outcome in outcomes.items() if outcome.problem}

    assert list(outcomes) == ["crash", "three", "missing", "works"]
    assert outcomes["works"].measurement is not None
    assert problems["crash"].problem == "killed by signal 11 (SIGSEGV)"
    assert problems["crash"].detail == "about to crash"
    assert (problems["three"].problem, problems["three"].detail) == (
        "exit status 3",
        "no such branch",
    )
    assert problems["missing"].problem == "no such program: ./missing"


def test_an_instruction_that_valgrind_does_not_know_is_its_limit(bench: Bench) -> None:
    bench.compile("wide", WIDE)
    problem = bench.problem("./wide")

    assert "valgrind can't run an instruction" in problem.problem
    assert "-mno-avx512f" in problem.detail


def test_debug_information_that_kills_valgrind_is_named(bench: Bench) -> None:
    bench.compile("split", AND, "-g", "-gsplit-dwarf")
    outcome = bench.outcomes(bench.request("./split"))["q"]
    if outcome.measurement:
        pytest.skip("this valgrind reads it")

    assert outcome.problem is not None
    assert "-gsplit-dwarf" in outcome.problem.detail


def test_a_query_that_takes_too_long_says_what_helps(bench: Bench) -> None:
    request = bench.request("sleep 60")
    slow = Command(argv=("sleep", "60"), env=bench.env, cwd=bench.stage, timeout=Seconds(0.04))
    problem = bench.outcomes(replace(request, asks=lambda _: slow))["q"].problem

    assert problem is not None
    assert problem.problem == "still running after 1 s"
    assert "a smaller input" in problem.detail


def test_a_shared_library_of_the_stage_is_read_and_a_readme_is_not(bench: Bench) -> None:
    (bench.stage / "README.md").write_text("not read")
    (bench.stage / "lib").mkdir()
    (bench.stage / "f.c").write_text("int f(void) { return 0; }")
    lib = ["cc", "-shared", "-fPIC", "-o", "lib/libf.so.1", "f.c"]
    subprocess.run(lib, cwd=bench.stage, check=True)
    (bench.stage / "lib" / "libf.so").symlink_to("libf.so.1")
    flags = ["-Llib", "-lf", "-Wl,-rpath,$ORIGIN/lib"]
    bench.compile("main", "int f(void); int main(void) { return f(); }", *flags)
    reads = bench.counted("./main").measurement.reads

    assert reads is not None
    assert {"main", "lib/libf.so", "lib/libf.so.1"} <= set(reads.paths)
    assert any(re.fullmatch(r"lib/glibc-hwcaps/.*/libf\.so", path) for path in reads.paths)
    assert "README.md" not in reads.paths
    assert not reads.unknown


def test_a_traced_run_counts_what_a_plain_one_counts(bench: Bench) -> None:
    bench.compile("work", WORK)
    traced = bench.request("./work 3 1000")
    plain = replace(traced, trace=False, query="p", folder=bench.runs / "p")
    outcomes = bench.outcomes(traced, plain)

    assert outcomes["q"].measurement is not None
    assert outcomes["p"].measurement is not None
    assert outcomes["q"].measurement.counts == outcomes["p"].measurement.counts


def test_a_query_that_writes_into_the_tree_is_named(bench: Bench) -> None:
    (note,) = bench.counted("cp /etc/passwd seen.txt").notes

    assert note.code == "writes"
    assert note.text.endswith(": seen.txt")


def test_a_setup_is_watched_with_all_it_forks(bench: Bench) -> None:
    (bench.stage / "in.txt").write_text("x\n")
    command = bench.asks("sh -c 'cat in.txt | (wc -l) > out.txt'")(1)
    reads = run_watched(command, stage=bench.stage, folder=bench.runs / "setup")

    assert {"in.txt", "out.txt"} <= set(reads.paths)
    assert (bench.stage / "out.txt").read_text() == "1\n"


def test_a_shim_is_refused_with_the_real_interpreter(bench: Bench, tmp_path: Path) -> None:
    shim = tmp_path / ".pyenv" / "shims" / "python3"
    real = tmp_path / ".pyenv" / "versions" / "3.11.0" / "bin" / "python3"
    for path in (shim, real):
        path.parent.mkdir(parents=True)
        path.write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
        path.chmod(0o755)
    (tmp_path / ".pyenv" / "version").write_text("3.11.0\n")

    assert bench.problem(f"{shim} -c pass").detail == f"write {real} instead of {shim}"
    assert "shim would be counted" in bench.problem(f"sh -c 'exec {shim} -c pass'").problem


def test_sets_of_strings_repeat_to_the_last_instruction(bench: Bench) -> None:
    script = "import sys\nfor _ in range(int(sys.argv[1])): sorted({str(i) for i in range(2000)})"
    line = shlex.join(["/usr/bin/python3", "-c", script, "{n}"])
    requests = [bench.request(line, points=(2, 4), name=name) for name in ("q1", "q2")]
    first, second = (outcome.measurement for outcome in bench.outcomes(*requests).values())

    assert first is not None
    assert second is not None
    assert first.counts == second.counts


def test_a_configuration_of_valgrind_in_the_tree_changes_nothing(bench: Bench) -> None:
    bench.compile("work", WORK)
    before = bench.total("./work 1 1")
    (bench.stage / ".valgrindrc").write_text("--trace-malloc=yes\n--branch-sim=yes\n--stats=yes\n")

    assert bench.total("./work 1 1") == before


def test_the_fingerprint_names_this_machine(bench: Bench) -> None:
    found = counting.fingerprint(bench.stage, dict(os.environ))

    assert re.fullmatch(r"3\.\d+\.\d+.*", found.valgrind)
    assert found.machine == os.uname().machine
    assert found.stage == str(bench.stage)
    assert sys.platform == "linux"
