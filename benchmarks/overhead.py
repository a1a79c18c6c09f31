"""Print what countci costs beside the same work done by hand, in one run of a few minutes.

Run it from the top of the repository: `python -m benchmarks.overhead [ROUNDS]`. By hand means
`git worktree`, the build, the same valgrind runs through `xargs -P`, the same number of timed
runs, in one shell script made from countci's own report. Both are run in turn on the same
machine, so their ratio holds on a busy one too; processor time is the steadier of the two.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.gate import by_hand
from benchmarks.gate.program import BUILD, Repository, ten_queries
from countci.model import Report
from countci.reporting import json_file

COUNTCI = (sys.executable, "-m", "countci")
STARTS = 15
# As installed: with its modules compiled, once.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one process and all that it waited for, in seconds."""

    wall: float
    processor: float

    def beside(self, other: Cost) -> str:
        """Return both ratios to `other`."""
        return (
            f"wall {self.wall:6.2f} / {other.wall:6.2f} s = {self.wall / other.wall:.3f}, "
            f"processor {self.processor:6.2f} / {other.processor:6.2f} s = "
            f"{self.processor / other.processor:.3f}"
        )


def cost(argv: Sequence[str], cwd: Path, env: Mapping[str, str] = ENV) -> Cost:
    """Return what running `argv` costs; its output is dropped unless it fails."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        child = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        _, code, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(code)
        if child.returncode:
            said.seek(0)
            sys.exit(f"{argv[:4]}: exit status {child.returncode}\n{said.read().decode()}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)


@dataclass(frozen=True, slots=True)
class Bench:
    """One repository, and a folder for everything else."""

    repository: Repository
    folder: Path

    def countci(self, *options: str) -> Cost:
        """Return what `countci compare HEAD~1 HEAD` costs."""
        env = {**ENV, "XDG_CACHE_HOME": str(self.folder / "cache")}
        # An undecided time is no failure here: the machine may be a restless one.
        limits = ("--limit", "time=100%", "--output", str(self.folder / "result.json"))
        argv = (*COUNTCI, "compare", "HEAD~1", "HEAD", *limits, *options)
        return cost(argv, self.repository.top, env)

    def report(self) -> Report:
        """Return the newest comparison's report."""
        path = self.folder / "result.json"
        return json_file.read(path.read_bytes(), name=path.name)

    def forget(self) -> None:
        """Throw away all that countci knows."""
        shutil.rmtree(self.folder / "cache", ignore_errors=True)

    def by_hand(self, script: str) -> Cost:
        """Return what `script` costs in an empty folder."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            spent = cost(["bash", "-c", script], Path(folder))
        self.repository.git("worktree", "prune")
        return spent


def whole_job(bench: Bench) -> Cost:
    """Print one round of the whole comparison, and return what countci's cost."""
    bench.forget()
    ours = bench.countci()
    script = by_hand.whole_job(bench.report(), bench.repository.top, BUILD)
    print(f"  countci / by hand: {ours.beside(bench.by_hand(script))}")
    return ours


def known(bench: Bench, first: Cost) -> None:
    """Print a run in which everything is known and nothing is timed."""
    again = bench.countci("--no-time")
    print(f"everything known, ten queries, --no-time (aim 2 s)\n  {again.beside(first)}")


def readme(bench: Bench) -> None:
    """Print a comparison of a commit that edits the README alone, base known."""
    bench.repository.commit("Docs", README="A program, explained\n")
    ours = bench.countci()
    sides = {"head": bench.report().head.revision.sha}
    hand = bench.by_hand(by_hand.check_out_and_build(sides, bench.repository.top, BUILD))
    beside = f"{ours.wall - hand.wall:.2f} s, processor {ours.processor - hand.processor:.2f} s"
    print(f"README alone, base known: beside check-out and build {beside} (aim 1 s)")
    print(f"  {ours.beside(hand)}")


def starts() -> None:
    """Print what starting countci costs beside starting Python."""
    here = Path.cwd()
    cost((*COUNTCI, "--version"), here)
    pairs = [
        (cost((*COUNTCI, "--version"), here), cost((sys.executable, "-c", "pass"), here))
        for _ in range(STARTS)
    ]
    ours, bare = (
        Cost(median(each.wall for each in side), median(each.processor for each in side))
        for side in zip(*pairs, strict=True)
    )
    more = f"{1000 * (ours.wall - bare.wall):.0f} ms"
    print(f"countci --version beside python -c pass: {more} more (aim 100 ms)")
    print(f"  {ours.beside(bare)}")


def main() -> None:
    """Print all of it."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    starts()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = Bench(ten_queries(folder / "ten"), folder)
        print("the whole job, nothing known (aim 1.05)")
        spent = [whole_job(bench) for _ in range(rounds)]
        known(bench, spent[-1])
        readme(bench)


if __name__ == "__main__":
    main()
