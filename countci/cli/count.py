"""`countci count`: the counts of one revision."""

from __future__ import annotations

import sys

import click

from countci import bench, pipeline
from countci.cli import deliver
from countci.cli.options import Shared, shared
from countci.cli.progress import shown
from countci.errors import MeasureError, UsageError
from countci.reporting import tally as tallies
from countci.storing import write_file


@click.command()
@click.argument("revision", default="HEAD")
@shared
def count(revision: str, shared: Shared) -> int:
    """Count the instructions of the queries of one REVISION, HEAD unless it is named.

    Exits with 3 when a query could not be counted.
    """
    if shared.format_ not in {"terminal", "json"}:
        raise UsageError("there are terminal and json", where=f"--format {shared.format_}")
    job = shared.job(revision, revision, ("instructions",))
    with shown(sys.stderr, job.env) as progress:
        tally, places = pipeline.count(job, progress)
    for path in shared.outputs:
        write_file(path, tallies.as_json(tally).encode())
    look = deliver.look(job.env)
    text = tallies.as_json(tally) if shared.format_ == "json" else tallies.render(tally, look)
    click.echo(text, nl=False)
    bench.tidy(places)
    return MeasureError.exit_code if tally.problems else 0
