from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import msgspec
import pyperf  # type: ignore[import-untyped]
import pytest

from countci.model import TIME, Comparison, Limit, Pair, Samples
from countci.timing import pyperf_files
from tests.series import gate
from tests.unit.judging.measured import query

LIMIT = Limit(share=0.03)


def dated(samples: Samples) -> Samples:
    """Return `samples` of 20 asks a run, with the time at which each run began, a second apart."""
    clock = itertools.count(1_700_000_000)

    def date(pair: Pair) -> Pair:
        base = msgspec.structs.replace(pair.base, began=float(next(clock)))
        head = msgspec.structs.replace(pair.head, began=float(next(clock)))
        return msgspec.structs.replace(pair, base=base, head=head)

    pairs = tuple(map(date, samples.pairs))
    confirming = tuple(map(date, samples.confirming))
    return msgspec.structs.replace(samples, n=20, pairs=pairs, confirming=confirming)


def comparison(name: str, samples: Samples | None) -> Comparison:
    named = msgspec.structs.replace(query(TIME.name), name=name)
    return Comparison(query=named, samples=samples)


SLOWER = dated(gate(1, change=0.1, limit=LIMIT).samples)
EQUAL = dated(gate(2, change=0.0, limit=LIMIT).samples)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("pyperf")
    files = (folder / "base.pyperf.json", folder / "head.pyperf.json")
    compared = [
        comparison("field", SLOWER),
        comparison("branch", EQUAL),
        comparison("untimed", None),
    ]
    assert pyperf_files.write(compared, base=files[0], head=files[1])
    return files


def pyperf_says(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pyperf", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_both_sides_have_the_same_benchmarks(written: tuple[Path, Path]) -> None:
    for file in written:
        suite = pyperf.BenchmarkSuite.load(str(file))
        assert suite.get_benchmark_names() == ["bank/field", "bank/branch"]


def test_values_are_seconds_per_ask_one_run_a_process(written: tuple[Path, Path]) -> None:
    suite = pyperf.BenchmarkSuite.load(str(written[1]))
    values = suite.get_benchmark("bank/field").get_values()

    pairs = SLOWER.pairs + SLOWER.confirming
    assert values == pytest.approx(tuple(pair.head.time / 20 for pair in pairs))


def test_every_run_tells_its_pair_order_and_costs(written: tuple[Path, Path]) -> None:
    base, head = (
        pyperf.BenchmarkSuite.load(str(file)).get_benchmark("bank/field").get_runs()
        for file in written
    )
    for number, (one, other) in enumerate(zip(base, head, strict=True), start=1):
        about, beside = one.get_metadata(), other.get_metadata()
        assert about["pair"] == beside["pair"] == number
        assert {about["order"], beside["order"]} == {"first", "second"}
        assert about["cpu_time"] <= about["wall_time"] == about["duration"]
        assert about["run_queue_wait"] >= 0
        assert about["core_share"] > 0


def test_an_unknown_wait_is_left_out_and_the_clock_named(tmp_path: Path) -> None:
    pair = EQUAL.pairs[0]
    unknown = msgspec.structs.replace(pair, head=msgspec.structs.replace(pair.head, wait=None))
    samples = msgspec.structs.replace(EQUAL, pairs=(unknown,) * 2)
    file = tmp_path / "head.json"
    pyperf_files.write([comparison("field", samples)], base=tmp_path / "base.json", head=file)

    run = pyperf.Benchmark.load(str(file)).get_runs()[0]
    assert run.values == pytest.approx((pair.head.wall / 20,))
    assert run.get_metadata()["clock"] == "wall"
    assert "run_queue_wait" not in run.get_metadata()


@pytest.mark.parametrize("samples", [None, Samples(n=1, pairs=())])
def test_without_pairs_there_are_no_files(samples: Samples | None, tmp_path: Path) -> None:
    compared = [comparison("field", samples)]

    assert not pyperf_files.write(compared, base=tmp_path / "b", head=tmp_path / "h")
    assert list(tmp_path.iterdir()) == []


def test_pairs_of_something_else_than_time_are_left_out(tmp_path: Path) -> None:
    rate = comparison("served", SLOWER)
    rate = msgspec.structs.replace(rate, query=query("instructions"))
    files = (tmp_path / "base.json", tmp_path / "head.json")

    assert not pyperf_files.write([rate], base=files[0], head=files[1])


def test_nothing_unfinished_is_left_beside_the_files(written: tuple[Path, Path]) -> None:
    assert set(written[0].parent.iterdir()) == set(written)


def test_pyperf_compares_the_two_files(written: tuple[Path, Path]) -> None:
    said = pyperf_says("compare_to", *written)

    assert "bank/field" in said
    assert "1.1" in said.split("bank/field")[1].splitlines()[0]
    assert "slower" in said


def test_pyperf_draws_a_histogram(written: tuple[Path, Path]) -> None:
    assert "bank/branch" in pyperf_says("hist", written[0])


def test_pyperf_tells_statistics(written: tuple[Path, Path]) -> None:
    said = pyperf_says("stats", written[1])

    assert "Number of benchmarks: 2" in said
    assert "Start date: 2023-11-14 22:13:21" in said
    assert "End date: 2023-11-14 22:14:" in said
    assert "Loop iterations per value: 20" in said


def test_pyperf_checks_both_files(written: tuple[Path, Path]) -> None:
    for file in written:
        pyperf_says("check", file)


def test_pyperf_takes_out_the_cpu_time(written: tuple[Path, Path], tmp_path: Path) -> None:
    taken = tmp_path / "cpu.json"
    pyperf_says("convert", "--extract-metadata", "cpu_time", written[0], "-o", taken)

    values = pyperf.BenchmarkSuite.load(str(taken)).get_benchmark("bank/branch").get_values()
    assert values == pytest.approx(tuple(pair.base.user for pair in EQUAL.pairs))
