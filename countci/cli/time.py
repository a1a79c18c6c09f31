"""`countci time`: only the timed pairs."""

from __future__ import annotations

import click

from countci.cli.measuring import run
from countci.cli.options import Shared, shared


@click.command()
@click.argument("base", required=False)
@click.argument("head", required=False)
@shared("jobs")
def time(base: str | None, head: str | None, shared: Shared) -> int:
    """Time two revisions in alternating pairs, without counting instructions.

    BASE and HEAD are as in `countci compare`; builds that are equal are not timed.
    """
    return run(shared.job(base, head, ("time",)), shared)
