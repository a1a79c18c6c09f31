"""`countci log`: every commit of a range, counted, and the steps in it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

import countci.cli.deliver as deliver
from countci import history
from countci.cli.options import Shared, invocation, shared
from countci.cli.progress import shown
from countci.errors import UsageError
from countci.history import Asked, Range
from countci.measuring import bench
from countci.model import INSTRUCTIONS, History
from countci.reporting import Look
from countci.reporting.history import FORMATS, ascii_only, format_of
from countci.reporting.history.terminal import render
from countci.storing import write_file
from countci.units import parse_share


@click.command()
@click.argument("range_", metavar="[RANGE]", default="")
@shared("limits", "outputs", "format_")
@click.option(
    "--every", type=click.IntRange(min=1), default=1, metavar="N", help="Only each N-th commit."
)
@click.option("--full", is_flag=True, help="Commits of merged branches too.")
@click.option(
    "--limit",
    default="0.1%",
    show_default=True,
    metavar="LIMIT",
    help="A move up to this is no step.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(FORMATS)),
    default="terminal",
    show_default=True,
    help="What is printed.",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write it there, as its suffix says: .txt .md .json .svg. May be repeated.",
)
def log(  # noqa: PLR0913 - options
    range_: str,
    shared: Shared,
    *,
    every: int,
    full: bool,
    limit: str,
    format_: str,
    outputs: tuple[Path, ...],
) -> int:
    """Count each commit of a RANGE (A..B, along first parents) and name those that moved a query.

    Without a RANGE it is the last 20 commits of HEAD. The query files are those of the range's
    end, and A is the first row. A commit that can't be built is a gap. What was counted before
    is taken from the store, so a run that was stopped goes on where it was.
    """
    for path in outputs:
        format_of(path)
    deliver.check_writable(outputs)
    asked = Asked(metric=INSTRUCTIONS.name, limit=parse_share(limit, where="--limit"))
    wanted = Range(text=range_, asked=asked, every=every, all_parents=full)
    job = shared.job(None, None, (INSTRUCTIONS.name,))
    with shown(sys.stderr, job.env) as progress:
        found = history.log(job, wanted, progress, command=invocation())
    _print(found.history, format_, deliver.look(job.env))
    for path in outputs:
        _write(path, format_of(path).render(found.history, Look(width=100, colour=False)))
    bench.tidy(found.places)
    return 0


def _print(found: History, format_: str, look: Look) -> None:
    if format_ != "terminal":
        click.echo(FORMATS[format_].render(found, look), nl=False)
        return
    show(render(found, look), lambda: render(found, look, braille=False))


def show(text: str, plain: Callable[[], str]) -> None:
    """Print `text`, or `plain` in ASCII where standard output can't take it."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = ascii_only(plain())
    click.echo(text, nl=False)


def _write(path: Path, text: str) -> None:
    try:
        write_file(path, text.encode())
    except OSError as error:
        problem = f"can't be written: {error.strerror}"
        raise UsageError(problem, where=f"--output {path}") from error
