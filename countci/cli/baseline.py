"""`countci baseline`: counts that are kept in the repository."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import countci.cli.deliver as deliver
from countci import single
from countci.cli.measuring import report
from countci.cli.options import Shared, invocation, shared
from countci.cli.progress import shown
from countci.errors import MeasureError
from countci.measuring import bench
from countci.storing import BASELINES, baseline_name, write_file


@click.group()
def baseline() -> None:
    """Record the counts of a revision in the repository, or check against them."""


@baseline.command()
@click.argument("revision", default="HEAD")
@shared("patterns", "limits", "outputs", "format_")
def record(revision: str, shared: Shared) -> int:
    """Write the counts of REVISION, HEAD unless it is named, to baselines/.

    One file a platform. Commit it: what it says of each query is reviewed like code.
    """
    job = shared.job(revision, revision, ("instructions",))
    with shown(sys.stderr, job.env) as progress:
        found = single.count(job, progress)
    for name, problem in found.tally.problems.items():
        raise MeasureError(f"{name}: {problem.problem}", where=problem.where, detail=problem.detail)
    top = found.plan.repository.top or Path.cwd()
    path = top / BASELINES / baseline_name(found.tally.fingerprint)
    path.parent.mkdir(exist_ok=True)
    write_file(path, single.record(found))
    click.echo(f"wrote {path.relative_to(top)}: commit it")
    bench.tidy(found.places)
    return 0


@baseline.command()
@click.argument("revision", default="HEAD")
@shared()
def check(revision: str, shared: Shared) -> int:
    """Hold REVISION, HEAD unless it is named, against the baseline in its own tree.

    Nothing else is built. Another platform's baseline is refused.
    """
    deliver.check_formats(shared.format_, shared.outputs)
    job = shared.job(revision, revision, ("instructions",))
    with shown(sys.stderr, job.env) as progress:
        outcome = single.check(job, progress, command=invocation())
    return report(outcome, shared, job.env)
