"""`countci doctor`: what would disturb a measurement on this machine, and the remedy."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from countci.cli.options import CACHE, CONFIG, cache, cores, environment
from countci.errors import MeasureError
from countci.job import Job

if TYPE_CHECKING:
    from countci.doctor import Finding


@click.command()
@CACHE
@click.option(
    "--format",
    "format_",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="What is printed.",
)
@CONFIG
@click.option(
    "--query", metavar="NAME", help="Try what moves the count of this query, on HEAD: bank/field."
)
def doctor(cache_dir: Path | None, config: Path | None, query: str | None, format_: str) -> int:
    """Tell what would disturb a measurement on this machine, and the remedy.

    Exits with 3 when something stops every measurement. With --query, the query is counted in
    several ways instead: a second later, with a fixed clock and fixed random numbers, with
    another hash seed, and with everything elsewhere in memory.
    """
    import msgspec

    from countci.doctor import Examination, examine, render

    env = environment()
    if query is None:
        examination = examine(Path(), env, cache_dir or cache(env))
    else:
        examination = Examination(fingerprint=None, findings=_tried(query, config, cache_dir))
    if format_ == "json":
        encoded = msgspec.json.format(msgspec.json.encode(examination), indent=2)
        click.echo(encoded.decode())
    else:
        click.echo(
            render(examination, width=min(shutil.get_terminal_size().columns, 100)), nl=False
        )
    return MeasureError.exit_code if examination.stopped else 0


def _tried(query: str, config: Path | None, cache_dir: Path | None) -> tuple[Finding, ...]:
    from countci.cli.progress import shown
    from countci.doctor import try_query

    job = Job(
        where=Path.cwd(),
        env=environment(),
        base="HEAD",
        config=config,
        patterns=(query,),
        metrics=("instructions",),
        jobs=cores(),
        cache_dir=cache_dir,
    )
    with shown(sys.stderr, job.env) as progress:
        return try_query(job, progress)
