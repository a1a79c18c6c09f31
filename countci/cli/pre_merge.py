"""`countci pre-merge`: what will land, not what was branched."""

from __future__ import annotations

import dataclasses
from functools import partial

import click

from countci import revisions
from countci.cli.measuring import run
from countci.cli.options import Shared, shared
from countci.model import Reason


@click.command("pre-merge")
@click.argument("target", required=False)
@click.option("--no-time", is_flag=True, help="Only count: nothing is timed.")
@shared()
def pre_merge(target: str | None, shared: Shared, *, no_time: bool) -> int:
    """Compare TARGET with what merging HEAD into it would give: what will land.

    TARGET is the default branch as the remote has it (origin/HEAD, origin/main) unless it is
    named. The merge is made in memory: checkout, index and branches stay as they are. A conflict
    exits with 3.
    """
    metrics = ("instructions",) if no_time else ("instructions", "time")
    job = shared.job(target, "HEAD", metrics)
    repository = revisions.open_repository(job.where, job.env)
    name = target or revisions.default_target(repository)
    into = revisions.resolve(repository, name)
    head = revisions.resolve(repository, "HEAD")
    if revisions.contains(repository, into, head):
        click.echo(f"nothing to merge: {name} contains HEAD, so nothing lands; nothing is measured")
        return 0
    text = f"measured is what merging HEAD into {name} gives, which is at {into.sha[:12]}"
    job = dataclasses.replace(
        job,
        base=name,
        make=partial(revisions.merge, target=into, head=head),
        notices=(Reason(code="pre-merge", text=text),),
    )
    return run(job, shared)
