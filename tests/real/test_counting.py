"""Real programs under real valgrind: exact to the last instruction."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from countci import counting
from countci.counting import run_watched
from tests.real.counted import AND, SPAWNS, WORK, Bench, bench_at

pytestmark = pytest.mark.slow


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_at(tmp_path)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the loop is in its language")
def test_a_condition_that_never_runs_is_not_counted(bench: Bench) -> None:
    bench.compile("loop", AND)

    assert bench.total("./loop") == pytest.approx(6_110_000, rel=0.01)


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
