"""Reading the call graphs of an explanation: what it takes after its runs.

    python benchmarks/read_cost_graphs.py [MEGABYTES]

Four files of callgrind of about that size each, two runs of base and two of head, in which one
function of thirty works in an ask and the rest is start-up; 8 MB unless it is said. Beside it
valgrind's own cg_diff, on two files of cachegrind with the same lines. All in one run, in CPU
seconds, so that the ratios hold on a busy machine. Real files have 0.1 to 1 MB.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from countci.counting.callgraph_runs import read

_HEAD = "# callgrind format\nversion: 1\ncmd:  ./work\npart: 1\n\npositions: line\nevents: Ir\n"
_LINES = 20
_SIZE = 402
"""Bytes of a function, about: both runs have the same ones."""
_WORKS = 30
"""One function of so many works in an ask."""
_STAGE = Path("/stage")


def synthetic(megabytes: float, asks: int) -> str:
    """Return a callgrind file of about that size, with so many asks in it."""
    chance = random.Random(1)  # noqa: S311 - sizes, not secrets
    parts, total = [f"{_HEAD}summary: 1\n\nob=/stage/work"], 0
    while len(parts) <= megabytes * 1_000_000 / _SIZE:
        number = len(parts)
        times = asks if number % _WORKS == 0 else 1
        lines = [f"fl=/stage/source/file{number // 20}.c\nfn=function_number_{number}"]
        for line in range(_LINES):
            cost = chance.randrange(1, 100_000) * times
            total += cost
            lines.append(f"{line * 3} {cost}")
            if line % 5 == 0:
                callee = f"cfn=function_number_{chance.randrange(number)}"
                lines.append(f"{callee}\ncalls={times} 7\n{line * 3} {times * 1000}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join([*parts, f"totals: {total}\n"])


def main() -> None:
    """Print one line a step, and one for valgrind's own difference."""
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"cg.{asks}" for asks in (1, 2)]
        for asks, path in enumerate(paths, start=1):
            path.write_text(synthetic(megabytes, asks))
        size = sum(path.stat().st_size for path in paths) / 1e6
        ours, lines, calls = 0.0, 0, 0
        for _side in ("base", "head"):
            start = time.process_time()
            graph = read(paths[:1], paths[1:], asks=1, stage=_STAGE, touched=["source/file3.c"])
            ours += time.process_time() - start
            lines, calls = len(graph.own), len(graph.calls)
            del graph
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        both = 2 * size
        print(
            f"four files of {size / 2:.0f} MB: {lines:,} lines of an ask, "
            f"{calls:,} calls, {memory:.0f} MB of memory"
        )
        print(f"countci, all four  {ours:6.2f} s  {both / ours:6.1f} MB/s")
        _difference(paths, ours / both)


def _difference(paths: list[Path], ours: float) -> None:
    """Print the line of cg_diff; `ours` is seconds a megabyte."""
    found = shutil.which("cg_diff")
    if found is None:
        print("cg_diff is not there")
        return
    for path in paths:
        path.write_text(_as_cachegrind(path.read_text()))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([found, *paths], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = sum(path.stat().st_size for path in paths) / 1e6
    print(
        f"cg_diff of two     {seconds:6.2f} s  {size / seconds:6.1f} MB/s  "
        f"countci takes 1/{seconds / size / ours:.1f} of the time a megabyte"
    )


def _as_cachegrind(text: str) -> str:
    """Return a file of cachegrind with the lines of cost of a file of callgrind."""
    lines = [line for line in text.split("\n") if line[:1].isdigit() or line[:3] in {"fl=", "fn="}]
    total = text.rsplit("totals: ", 1)[1]
    return "\n".join(["desc: made up", "cmd: ./work", "events: Ir", *lines, f"summary: {total}"])


if __name__ == "__main__":
    main()
