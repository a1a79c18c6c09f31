"""Print how long a thousand known commits take to list, beside git listing them.

Run it from the top of the repository: `python -m benchmarks.history [COMMITS]`. A repository of
that many commits is written by `git fast-import`, and a count of each query on each commit is put
into the store; then `countci log` and `git log` are run in turn. The aim is two seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.overhead import COUNTCI, ENV, Cost, cost
from countci import ordering, planning, revisions
from countci.job import Job
from countci.measuring import asking, bench
from countci.measuring.bench import Bench
from countci.model import Commit, Counts, Measurement, Output, Point, Query, ReadSet
from countci.progress import Silent

AIM = 2.0
"""Seconds."""
ROUNDS = 5
QUERIES = 5
_CONFIG = 'build = ["true"]\n'
_LIBRARIES = ("/usr/bin/env", "/lib/x86_64-linux-gnu/libc.so.6", "/etc/ld.so.cache")


def main() -> None:
    """Print both, their ratio, and the aim."""
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        top, cache = Path(folder, "project"), Path(folder, "cache")
        _repository(top, commits)
        _know(top, cache)
        ours = [
            cost((*COUNTCI, "log", "HEAD", "--cache-dir", str(cache)), top) for _ in range(ROUNDS)
        ]
        gits = [cost(("git", "log", "--format=%H %T %P %at %s"), top) for _ in range(ROUNDS)]
    print(f"{commits} known commits of {QUERIES} queries, listed; git's own list beside it")
    print(f"  {_middle(ours).beside(_middle(gits))}")
    middle = _middle(ours)
    held = "held" if middle.processor < AIM else "missed"
    print(f"  aim {AIM:g} s: {held} in processor time; a busy machine takes longer by the clock")


def _middle(costs: list[Cost]) -> Cost:
    return Cost(
        wall=median(each.wall for each in costs),
        processor=median(each.processor for each in costs),
    )


def _repository(top: Path, commits: int) -> None:
    suite = "".join(f'[query.q{number}]\ncommand = "true {{n}}"\n' for number in range(QUERIES))
    lines = []
    for number in range(commits):
        lines += [
            "commit refs/heads/main",
            f"committer Ada <ada@example.org> {1_600_000_000 + number * 3600} +0000",
            _data(f"Change number {number}"),
            f"M 644 inline number.txt\n{_data(str(number))}",
        ]
        if number == 0:
            lines.append(f"M 644 inline countci.toml\n{_data(_CONFIG)}")
            lines.append(f"M 644 inline queries/suite.toml\n{_data(suite)}")
    subprocess.run(("git", "init", "-q", "-b", "main", str(top)), check=True, env=ENV)
    stream = "\n".join([*lines, ""]).encode()
    subprocess.run(("git", "fast-import", "--quiet"), cwd=top, input=stream, check=True, env=ENV)


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}"


def _know(top: Path, cache: Path) -> None:
    """Put a count of each query on each commit into the store, as counting would."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    job = Job(
        where=top, env=env, base="HEAD", head="HEAD", metrics=("instructions",), cache_dir=cache
    )
    plan = planning.plan(job)
    with bench.opened(job, plan, Silent()) as here:
        order = ordering.of_any(job, plan)
        found = [
            (_measurement(here, query, order(commit.revision).key, number), query.digest)
            for number, commit in enumerate(_commits(here))
            for query in plan.suites.queries
        ]
        here.store.keep(*found)


def _commits(here: Bench) -> tuple[Commit, ...]:
    return revisions.commits(here.plan.repository, "HEAD")


def _measurement(here: Bench, query: Query, build: str, number: int) -> Measurement:
    per_ask = 1_000_000 + number // 100
    points = tuple(Point(n=n, total=400_000 + per_ask * n) for n in (10, 30))
    return Measurement(
        query=query.id,
        build=build,
        fingerprint=asking.fingerprint(here, query),
        counts={"instructions": Counts(points=points)},
        output=Output(digest="0" * 64, size=10),
        reads=ReadSet(
            paths=tuple(f"source/file{each}.c" for each in range(40)), outside=_LIBRARIES
        ),
    )


if __name__ == "__main__":
    main()
