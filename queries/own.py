"""countci's own fixed queries: what its time goes into between the programs that it starts.

Each function is one ask; what it is asked about is made by the setup of the same name, in
code, so that no file and no clock takes part.
"""

from __future__ import annotations

from countci import config, judging, queries
from countci.config import Config
from countci.counting import parse
from countci.model import (
    CommandWork,
    Comparison,
    Counts,
    Limit,
    Measurement,
    Output,
    Pair,
    Point,
    Query,
    Report,
    Revision,
    Run,
    Samples,
    Side,
)
from countci.reporting import REPORTERS, Look
from countci.units import Seconds

_LOOK = Look(width=100, colour=False)
_CONFIGURATION = b"""
build = ["cmake -S . -B build", "cmake --build build -j2"]
build-inputs = ["src", "CMakeLists.txt"]
artifacts = ["build/bank"]
[limits]
instructions = "0.5%"
time = "3%"
"""


# ---------------------------------------------------------------- asks


def parse_profile(data: bytes) -> int:
    """Return what a large profile adds up to."""
    return parse(data, name="profile").total


def judge_counts(comparisons: tuple[Comparison, ...]) -> str:
    """Return the worst status of counted queries."""
    return judging.worst(judging.judge(each).status for each in comparisons).value


def judge_pairs(comparisons: tuple[Comparison, ...]) -> str:
    """Return the worst status of timed queries."""
    return judging.worst(judging.judge(each).status for each in comparisons).value


def render_terminal(report: Report) -> str:
    """Return a report for a terminal."""
    return REPORTERS["terminal"].render(report, _LOOK)


def render_markdown(report: Report) -> str:
    """Return a report as Markdown."""
    return REPORTERS["markdown"].render(report, _LOOK)


def render_json(report: Report) -> str:
    """Return a report as JSON."""
    return REPORTERS["json"].render(report, _LOOK)


def load_files(files: dict[str, bytes]) -> int:
    """Return how many queries a configuration and its query files come to."""
    settings: Config = config.parse_file(_CONFIGURATION, file="countci.toml")
    loaded = queries.load(files, folder=settings.queries, limits=settings.limits)
    return len(loaded.queries)


# ---------------------------------------------------------------- setups


def profile() -> bytes:
    """Return a cachegrind output file of 200 functions with 15 lines each."""
    lines, total = ["cmd: ./program 10", "events: Ir"], 0
    for function in range(200):
        if function % 20 == 0:
            lines.append(f"fl=/usr/src/project/source{function // 20}.c")
        lines.append(f"fn=function_{function}")
        for line in range(15):
            count = 1 + (function * 15 + line) * 7919 % 1_000_003
            total += count
            lines.append(f"{function * 40 + line} {count}")
    return "\n".join([*lines, f"summary: {total}", ""]).encode()


def counted() -> tuple[Comparison, ...]:
    """Return 25 queries that were counted, head up to 1.2 % more."""
    return tuple(_comparison(f"q{number}", number / 2000) for number in range(25))


def timed() -> tuple[Comparison, ...]:
    """Return five queries in 40 pairs each, head up to 4 % slower."""
    return tuple(_comparison(f"q{number}", number / 100, pairs=40) for number in range(5))


def report() -> Report:
    """Return a report of five queries."""
    comparisons = tuple(_comparison(f"q{number}", number / 250, pairs=4) for number in range(5))
    verdicts = tuple(judging.judge(each) for each in comparisons)
    return Report(
        countci="0",
        base=_side("b"),
        head=_side("a"),
        status=judging.worst(verdict.status for verdict in verdicts),
        verdicts=verdicts,
        comparisons=comparisons,
        fingerprint=None,
        suites="",
    )


def query_files() -> dict[str, bytes]:
    """Return a query file of ten queries, by name."""
    return {"suite.toml": _suite()}


def _suite() -> bytes:
    tables = (
        f'[query.q{number}]\ncommand = "build/bank ask --repeat {{n}} q{number}"\n'
        f'limit.instructions = "0.5%"\nenv.BANK_MODE = "fast"\ntimeout = "60s"\n'
        for number in range(10)
    )
    return "".join(tables).encode()


def _comparison(name: str, slower: float, *, pairs: int = 0) -> Comparison:
    """Return a query that was counted, and timed in `pairs`, head `slower` by a share."""
    query = Query(
        suite="own",
        name=name,
        file="queries/own.toml",
        work=CommandWork(command="./program {n}"),
        metrics=("instructions", "time") if pairs else ("instructions",),
        limits={"instructions": Limit(share=0.01), "time": Limit(share=0.03)},
    )
    return Comparison(
        query=query,
        base=_measurement(query, "base", 10_000),
        head=_measurement(query, "head", round(10_000 * (1 + slower))),
        samples=Samples(n=100, pairs=tuple(_pair(each, slower) for each in range(pairs)))
        if pairs
        else None,
    )


def _pair(number: int, slower: float) -> Pair:
    return Pair(
        base=_run(number, 1.0), head=_run(number + 7, 1.0 + slower), head_first=number % 4 in {1, 2}
    )


def _run(number: int, seconds: float) -> Run:
    spent = seconds * (1 + (number * 37 % 41 - 20) / 1000)
    return Run(wall=spent, user=0.9 * spent, system=0.0, wait=0.0)


def _measurement(query: Query, build: str, ask: int) -> Measurement:
    points = tuple(Point(n=n, total=100_000 + n * ask) for n in (10, 20, 2000))
    return Measurement(
        query=query.id,
        build=build,
        fingerprint="",
        counts={"instructions": Counts(points=points)},
        output=Output(digest="", size=1),
    )


def _side(digit: str) -> Side:
    revision = Revision(name=digit, sha=digit * 40, tree="", subject="A subject", when=0)
    return Side(revision=revision, build="", build_seconds=Seconds(1.0), build_cached=False)
