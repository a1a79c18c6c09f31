"""The published comparisons run, short, with programs that stand in for theirs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from countci import loads, queries
from countci.model import OutputWork
from countci.units import Seconds
from tests.ports import free_port
from tests.real.bank import Ended, Repository
from tests.real.stand_ins import program, tools
from tests.unit import test_examples

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs/examples"
SHORTER = {'"15s"': '"300ms"', '"6s"': '"300ms"', '"5s"': '"300ms"', "[1, 10, 100]": "[1, 3, 10]"}
SMT = any(
    len(path.read_text().replace("-", ",").split(",")) > 1
    for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/core_cpus_list")
)
two_processors = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")


@dataclass(frozen=True)
class Trial:
    """The program, and the comparisons beside it."""

    repository: Repository
    tools: Path

    def run(self, folder: str, *words: str, **also: str) -> tuple[Ended, dict[str, Any]]:
        """Run `countci WORDS` with one comparison, `also` replaced in it; return its changes.

        Args:
            folder: of the comparison.
            words: of the command line.
            also: text by what stands in its place.
        """
        copy = self.repository.cache.parent / "examples" / folder
        shutil.copytree(EXAMPLES / folder, copy, dirs_exist_ok=True)
        for file in (copy / "queries").glob("*.toml"):
            text = file.read_text(encoding="utf-8")
            for old, new in {**SHORTER, **also}.items():
                text = text.replace(old, new)
            file.write_text(text, encoding="utf-8")
        config = ("--config", str(copy / "countci.toml"))
        path = f"{self.tools}:{os.environ['PATH']}"
        ended = self.repository.countci(words[0], *config, *words[1:], PATH=path)
        results = sorted((self.repository.top / ".countci/results").glob("*/result.json"))
        if not results:
            return ended, {}
        report = json.loads(results[-1].read_bytes())
        shutil.rmtree(self.repository.top / ".countci")
        return ended, {
            f"{verdict['query']} {change['metric']}": change
            for verdict in report["verdicts"]
            for change in verdict["changes"]
        }


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    folder = tmp_path_factory.mktemp("examples")
    made = Trial(repository=program(folder), tools=tools(folder / "tools"))
    shutil.copy(ROOT / "tests/data/published/aim9.csv", made.tools / "rates")
    return made


def test_tpcc_judges_two_of_its_numbers_and_shows_the_third(trial: Trial) -> None:
    ended, found = trial.run("tpcc", "compare", "HEAD~1", "HEAD")

    assert ended.code == 1, ended.err
    assert {name: each["status"] for name, each in found.items()} == {
        "tpcc/mix rate": "fail",
        "tpcc/mix cpu": "pass",
        "tpcc/mix owner": "pass",
    }


def test_each_ask_is_counted_and_judged_by_one_percent(trial: Trial) -> None:
    sides = ("compare", "HEAD~2", "HEAD~1", "--no-explain")
    names = '["per_branch", "in_credit", "large", "ranks", "field", "found"]'
    ended, found = trial.run("instructions", *sides, **{names: '["field", "in_credit"]'})

    assert ended.code == 1, ended.err
    assert list(found) == [
        "bank/ask[name=field] instructions",
        "bank/ask[name=in_credit] instructions",
    ]
    assert all(each["delta"] == pytest.approx(0.05, rel=0.02) for each in found.values())


def test_commit_by_commit_names_the_one_that_moved(trial: Trial) -> None:
    ended, _ = trial.run("history", "log", "--limit", "3%", "HEAD~2..HEAD")

    assert ended.code == 0, ended.err
    assert "More work" in ended.out
    assert "+5.0" in ended.out


def test_memory_grows_by_100_kib_an_app_and_threads_are_constant(trial: Trial) -> None:
    ended, found = trial.run("memory", "compare", "HEAD~2", "HEAD~1")

    assert ended.code == 0, ended.out
    slope = found["host/apps private_dirty_slope"]
    assert slope["head"] == pytest.approx(100 * 1024, abs=2 * 4096)
    assert found["host/apps threads"]["status"] == "pass"


def test_threads_are_told_by_name_and_nothing_is_judged(trial: Trial) -> None:
    ended, found = trial.run("threads", "compare", "HEAD+pool", "HEAD+owner")

    assert ended.code == 0, ended.out
    assert found["threads/load throughput"]["status"] == "pass"
    said = " ".join(ended.out.split())
    assert "thread pool: base ×16" in said
    assert "thread owner:" in said


@two_processors
@pytest.mark.parametrize(
    ("folder", "query", "metric"),
    [
        ("chat", "chat/rooms", "rate"),
        ("files", "files/dbench", "throughput"),
        ("files", "files/tbench", "throughput"),
        ("linux-calls", "lmbench/call", "latency"),
    ],
)
def test_two_processors_are_told_from_one_in_a_sweep(
    trial: Trial, folder: str, query: str, metric: str
) -> None:
    few = {"[20, 30, 60, 90, 120]": "[2, 3]", "[20, 30, 40, 50]": "[2, 3]"}
    few |= {'["null", "read", "write", "stat", "fstat", "open"]': '["null", "read"]'}
    ended, found = trial.run(folder, "compare", "HEAD+one", "HEAD+cores", "--query", query, **few)

    assert ended.code == 0, ended.out
    assert len(found) == 2
    for name, each in found.items():
        assert name.startswith(f"{query}[")
        assert each["metric"] == metric
        better = each["head"] / each["base"]
        assert better == pytest.approx(0.5 if metric == "latency" else 2.0)
    assert "geo" in ended.out


@two_processors
@pytest.mark.parametrize(
    ("folder", "asked", "sides"),
    [
        ("isolation", "beside", ["processes", "host"]),
        ("response-time", "arrivals[rate=200,arrivals=poisson]", ["threads", "events"]),
        ("threads-and-events", "requests[concurrency=10]", ["threads", "events"]),
    ],
)
def test_a_server_in_both_arrangements_tells_all_that_is_judged(
    folder: str, asked: str, sides: list[str], tmp_path: Path
) -> None:
    configuration, every = test_examples.read(folder)
    (query,) = (each for each in every if each.name == asked)
    place = queries.Place(
        tree=ROOT, work=tmp_path, queries=tmp_path, env={"PATH": os.environ["PATH"]}
    )
    for side in sides:
        varied = queries.varied(query, configuration.variants[side])
        port = free_port(f"{folder} {side}")
        work = queries.filled_work(varied, place, port)
        installed = shutil.which(work.load.tool) is not None
        shorter = replace(work.load, seconds=Seconds(0.3), tool="ab" if installed else "own")
        trial = loads.Trial(
            name=query.id, work=replace(work, load=shorter), more=(), scratch=tmp_path
        )

        run = loads.measure(queries.server_commands(varied, place, port)[0], trial, seed=1)

        assert all(run.values[metric] > 0 for metric in query.metrics)


@two_processors
def test_aim9_reads_all_its_rates_in_one_run(trial: Trial) -> None:
    ended, found = trial.run(
        "aim9", "compare", "HEAD+one", "HEAD+cores", **{"/opt/aim9": str(trial.tools)}
    )

    assert ended.code == 0, ended.out
    assert len(found) == 59
    assert found["aim9/suite add_double"]["base"] == 638361.25


@pytest.mark.skipif(SMT, reason="its cores have two hardware threads")
def test_both_threads_of_a_core_that_has_one_are_not_measurable(trial: Trial) -> None:
    words = ("compare", "HEAD+one", "HEAD+both", "--query", "chat/rooms[rooms=20]")
    ended, _ = trial.run("chat", *words)

    assert ended.code == 3
    assert "not measurable" in " ".join((ended.out + ended.err).split())


@pytest.mark.parametrize(
    ("folder", "name", "shorter", "package"),
    [
        ("chat", "rooms[rooms=20]", {"-g 20 -l 100": "-g 1 -l 20"}, "rt-tests"),
        ("files", "dbench[clients=20]", {"-t 10": "-t 2", " 20": " 2"}, "dbench"),
        ("files", "tbench[clients=20]", {"tbench.sh 10 20": "tbench.sh 2 2"}, "dbench"),
    ],
)
def test_the_program_itself_prints_what_is_read(
    folder: str, name: str, shorter: dict[str, str], package: str, tmp_path: Path
) -> None:
    (query,) = (each for each in test_examples.read(folder)[1] if each.name == name)
    assert isinstance(query.work, OutputWork)
    if shutil.which(query.work.reader) is None:
        pytest.skip(f"apt-get install {package}")
    line = query.work.command
    for old, new in shorter.items():
        assert old in line
        line = line.replace(old, new)
    line = line.format(work=tmp_path, queries=EXAMPLES / folder / "queries")
    done = subprocess.run(line.split(), cwd=tmp_path, capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr:
        pytest.skip("no network of its own can be made here")

    found = queries.output_values(query, done.stdout)

    assert list(found) == list(query.metrics)
