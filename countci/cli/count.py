"""`countci count`: the counts of one revision."""

from __future__ import annotations

import sys

import click

import countci.cli.deliver as deliver
from countci import single
from countci.cli.options import Shared, shared
from countci.cli.progress import shown
from countci.errors import MeasureError
from countci.measuring import bench
from countci.reporting import tally as tallies


@click.command()
@click.argument("revision", default="HEAD")
@shared("limits", "outputs", "format_")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="What is printed.",
)
def count(revision: str, shared: Shared, *, format_: str) -> int:
    """Count the instructions of the queries of one REVISION, HEAD unless it is named.

    Exits with 3 when a query could not be counted.
    """
    job = shared.job(revision, revision, ("instructions",))
    with shown(sys.stderr, job.env) as progress:
        found = single.count(job, progress)
    tally = found.tally
    look = deliver.look(job.env)
    text = tallies.as_json(tally) if format_ == "json" else tallies.render(tally, look)
    click.echo(text, nl=False)
    bench.tidy(found.places)
    return MeasureError.exit_code if tally.problems else 0
