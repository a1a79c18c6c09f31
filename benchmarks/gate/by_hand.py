"""What one would type to do the work of a comparison by hand: a shell script from its report."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from countci.model import INSTRUCTIONS, CommandWork, Comparison, Report

VALGRIND = (
    "valgrind --tool=cachegrind --cache-sim=no --branch-sim=no --vex-guest-chase=no "
    "--trace-children=yes --fair-sched=try --vgdb=no"
)


def whole_job(report: Report, repository: Path, build: Sequence[str]) -> str:
    """Return the script of a comparison in which nothing was known and no query is identical.

    It is run in an empty folder, which takes the worktrees and all output.
    """
    both = {"base": report.base.revision.sha, "head": report.head.revision.sha}
    cores = len(os.sched_getaffinity(0))
    counts = "\n".join(_counts(report.comparisons))
    times = [line for each in report.comparisons for line in _times(each)]
    return "\n".join(
        [
            check_out_and_build(both, repository, build),
            f"xargs -P {cores} -I LINE sh -c LINE <<'END'\n{counts}\nEND",
            *times,
        ]
    )


def check_out_and_build(sides: Mapping[str, str], repository: Path, build: Sequence[str]) -> str:
    """Return the script that makes a worktree of each commit, and builds there."""
    git = f"git -C {shlex.quote(str(repository))} worktree add --quiet --detach"
    lines = ["set -eu"]
    for side, sha in sides.items():
        lines += [f'{git} "$PWD/{side}" {sha}', f"(cd {side}; {shlex.join(build)})"]
    return "\n".join(lines)


def _counts(comparisons: Iterable[Comparison]) -> Iterator[str]:
    for comparison in comparisons:
        for side in ("base", "head"):
            counts = getattr(comparison, side).counts[INSTRUCTIONS.name]
            again = [point for each in counts.again for point in each.points]
            for point in (*counts.points, *again):
                command = _command(comparison, point.n)
                out = f"--cachegrind-out-file=../cg.{side}.%p"
                yield f"cd {side} && {VALGRIND} {out} {command} > /dev/null 2>&1"


def _times(comparison: Comparison) -> Iterator[str]:
    samples = comparison.samples
    assert samples is not None
    command = f"{_command(comparison, samples.n)} > /dev/null"
    for name in ("pairs", "confirming", "control"):
        other = "base" if name == "control" else "head"
        count = len(getattr(samples, name))
        if count:
            yield f"for i in $(seq {count}); do (cd base; {command}); (cd {other}; {command}); done"


def _command(comparison: Comparison, n: int) -> str:
    work = comparison.query.work
    assert isinstance(work, CommandWork)
    return work.command.replace("{n}", str(n))
