"""`countci compare`: the whole job."""

from __future__ import annotations

import dataclasses

import click

from countci.cli.measuring import run
from countci.cli.options import Shared, parse_shard, shared
from countci.units import parse_seconds


@click.command()
@click.argument("base", required=False)
@click.argument("head", required=False)
@click.option("--worktree", is_flag=True, help="Head is what is not committed yet.")
@click.option("--no-time", is_flag=True, help="Only count: nothing is timed.")
@click.option("--no-explain", is_flag=True, help="Don't say where what fails comes from.")
@click.option(
    "--queries-from",
    type=click.Choice(["head", "base"]),
    default="head",
    show_default=True,
    help="Whose query files both sides run.",
)
@click.option(
    "--max-time",
    metavar="SPAN",
    help="End after 30m or 1h, at the latest: what is not measured then is an error.",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Only the first, second, ... of N parts of the queries; countci merge joins them.",
)
@shared()
def compare(  # noqa: PLR0913 - one for each option
    base: str | None,
    head: str | None,
    shared: Shared,
    *,
    no_time: bool,
    no_explain: bool,
    worktree: bool,
    queries_from: str,
    max_time: str | None,
    shard: str | None,
) -> int:
    """Compare two revisions: fail when HEAD does more work than BASE, or takes longer.

    BASE is the merge base with the default branch unless it is named, HEAD is HEAD. The
    report goes to standard output, progress to standard error, the raw data to
    .countci/results/ in the checkout.
    """
    metrics = ("instructions",) if no_time else ("instructions", "time")
    job = shared.job(base, head, metrics)
    limit = None if max_time is None else parse_seconds(max_time, where=f"--max-time {max_time}")
    job = dataclasses.replace(
        job,
        worktree=worktree,
        queries_from=queries_from,
        max_time=limit,
        explain_failures=not no_explain,
        shard=None if shard is None else parse_shard(shard),
    )
    return run(job, shared)
