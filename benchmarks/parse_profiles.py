"""Reading a large profile: megabytes a second, beside valgrind's own tools on the same file.

    python benchmarks/parse_profiles.py [MEGABYTES]

All in one run, in CPU seconds, so that the ratios hold on a busy machine. Real profiles are
far smaller (CPython with some modules: 0.5 MB); this size is an upper bound.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from countci.counting import parse

_FUNCTIONS_IN_A_FILE = 100
_LINES_IN_A_FUNCTION = 25


def synthetic(megabytes: int) -> bytes:
    """Return a cachegrind output file of about that size, the same each time."""
    chance = random.Random(1)  # noqa: S311 - sizes, not secrets
    parts, total, size = ["cmd: ./program\nevents: Ir\n"], 0, 0
    file = 0
    while size < megabytes * 1_000_000:
        parts.append(f"fl=/usr/src/project/source/folder/file{file:05}.c\n")
        for number in range(_FUNCTIONS_IN_A_FILE):
            parts.append(f"fn=function_with_a_name_{file}_{number}\n")
            for line in range(_LINES_IN_A_FUNCTION):
                count = chance.randrange(1, 10 ** chance.randrange(1, 12))
                total += count
                parts.append(f"{number * 40 + line} {count}\n")
        size += sum(map(len, parts[-_FUNCTIONS_IN_A_FILE * (_LINES_IN_A_FUNCTION + 1) :]))
        file += 1
    parts.append(f"summary: {total}\n")
    return "".join(parts).encode()


def main() -> None:
    """Print one line a reader."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 74
    data = synthetic(megabytes)
    size = len(data) / 1e6
    ours = _own_time(lambda: parse(data, name="synthetic"))
    print(f"countci       {ours:6.2f} s  {size / ours:6.1f} MB/s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cg.1"
        path.write_bytes(data)
        for tool, files in (("cg_annotate", 1), ("cg_diff", 2)):
            _tool(tool, path, files, ours / size)


def _tool(tool: str, path: Path, files: int, ours: float) -> None:
    """Print the line of one of valgrind's tools; `ours` is seconds a megabyte."""
    found = shutil.which(tool)
    if found is None:
        print(f"{tool:13} is not there")
        return
    seconds = _child_time([found, *[str(path)] * files])
    size = files * path.stat().st_size / 1e6
    print(
        f"{tool:13} {seconds:6.2f} s  {size / seconds:6.1f} MB/s  "
        f"countci takes 1/{seconds / size / ours:.1f} of the time a megabyte"
    )


def _own_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _child_time(argv: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
