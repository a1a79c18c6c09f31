"""Ask countci's own code n times: `own.py parse|judge|render N`. Prints a digest of the answer."""

# ruff: noqa: INP001, T201 - a script beside its query file

from __future__ import annotations

import gc
import hashlib
import random
import sys
from collections.abc import Callable

from countci import judging
from countci.counting.profile import parse
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

chance = random.Random(1)  # noqa: S311 - sizes, not secrets


def profile() -> bytes:
    """Return a cachegrind output file of 60 functions, as a small C program leaves it."""
    lines, total = ["cmd: ./program 10", "events: Ir"], 0
    for file in range(3):
        lines.append(f"fl=/usr/src/project/source{file}.c")
        for function in range(20):
            lines.append(f"fn=function_{file}_{function}")
            for line in range(15):
                count = chance.randrange(1, 10**6)
                total += count
                lines.append(f"{function * 40 + line} {count}")
    return "\n".join([*lines, f"summary: {total}", ""]).encode()


def comparison(name: str, slower: float) -> Comparison:
    """Return a query that was counted, and timed in 40 pairs, head `slower` by a share."""
    query = Query(
        suite="own",
        name=name,
        file="queries/own.toml",
        work=CommandWork(command="./program {n}"),
        limits={"instructions": Limit(share=0.01), "time": Limit(share=0.03)},
    )
    pairs = tuple(
        Pair(base=run(1.0), head=run(1.0 + slower), head_first=bool(number % 2))
        for number in range(40)
    )
    return Comparison(
        query=query,
        base=measurement("base", 10_000),
        head=measurement("head", round(10_000 * (1 + slower))),
        samples=Samples(n=100, pairs=pairs),
    )


def run(seconds: float) -> Run:
    """Return one timed process."""
    spent = seconds * chance.uniform(0.98, 1.02)
    return Run(wall=spent, user=0.9 * spent, system=0.0, wait=0.0)


def measurement(build: str, ask: int) -> Measurement:
    """Return the counts of one side."""
    points = tuple(Point(n=n, total=100_000 + n * ask) for n in (10, 20, 2000))
    return Measurement(
        query="own",
        build=build,
        fingerprint="",
        counts={"instructions": Counts(points=points)},
        output=Output(digest="", size=1),
    )


def side(name: str) -> Side:
    """Return one revision."""
    revision = Revision(name=name, sha=name * 10, tree="", subject="A subject", when=0)
    return Side(revision=revision, build="", build_seconds=Seconds(1.0), build_cached=False)


def render() -> str:
    """Return a report, judged and rendered."""
    verdicts = tuple(judging.judge(each) for each in comparisons)
    report = Report(
        countci="0",
        base=side("base"),
        head=side("head"),
        status=judging.worst(verdict.status for verdict in verdicts),
        verdicts=verdicts,
        comparisons=comparisons,
        fingerprint=None,
        suites="",
    )
    return REPORTERS["terminal"].render(report, Look(width=100, colour=False))


data = profile()
comparisons = tuple(comparison(f"q{number}", number / 100) for number in range(5))
ASKS: dict[str, Callable[[], object]] = {
    "parse": lambda: parse(data, name="profile").total,
    "judge": lambda: [judging.judge(each).status for each in comparisons],
    "render": render,
}

gc.disable()  # a collection falls where it falls: some tenths of a percent of an ask
answer: object = None
for _ in range(int(sys.argv[2])):
    answer = ASKS[sys.argv[1]]()
print(hashlib.sha256(repr(answer).encode()).hexdigest())
