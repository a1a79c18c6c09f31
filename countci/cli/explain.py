"""`countci explain`: where the difference of one query comes from."""

from __future__ import annotations

import dataclasses

import click

from countci.cli.measuring import run
from countci.cli.options import Shared, shared


@click.command()
@click.argument("base")
@click.argument("head")
@click.argument("query")
@shared("patterns", "limits")
def explain(base: str, head: str, query: str, shared: Shared) -> int:
    """Say where a difference comes from: functions, lines, and the hunk of the diff.

    QUERY is counted on both revisions unless that is known, and run once more on each for its
    lines and calls. Nothing is timed. The exit code is that of compare.
    """
    job = shared.job(base, head, ("instructions",))
    return run(dataclasses.replace(job, patterns=(query,), explain=True), shared)
