"""`countci merge`: the reports of all shards put together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

import countci.cli.deliver as deliver
import countci.cli.options as options
from countci import merging
from countci.cli.options import environment
from countci.errors import MeasureError, UsageError
from countci.model import Report
from countci.reporting import read


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--expect",
    type=click.IntRange(min=1),
    required=True,
    metavar="N",
    help="How many shards there are: one that is missing is an error.",
)
@options.OUTPUT
@options.FORMAT
def merge(
    results: tuple[Path, ...], *, expect: int, format_: str, outputs: tuple[Path, ...]
) -> int:
    """Put the RESULTS of all shards together: the report that one machine would have made.

    Each is a result.json of `countci compare --shard I/N`, or a folder that holds one. The exit
    code is the one of the whole; 3 when a shard is missing, doubled or of something else.
    """
    deliver.check_formats(format_, outputs)
    reports = {str(path): _read(path) for path in results}
    if len(reports) < len(results):
        raise MeasureError("a result is named twice")
    report = merging.merge(reports, expect)
    env = environment()
    folder = _keep(report, env)
    code = deliver.deliver(report, format_, outputs, env)
    click.echo(folder, err=True)
    return code


def _keep(report: Report, env: Mapping[str, str]) -> str:
    """Return where the merged result now is; it was not measured here, so it may be nowhere."""
    from countci import revisions

    try:
        top = revisions.open_repository(Path.cwd(), env).top
    except UsageError:
        top = None
    try:
        return f"results: {deliver.keep(report, top or Path.cwd())}"
    except OSError as error:
        return f"countci: warning: the result is kept nowhere: {error.strerror}"


def _read(path: Path) -> Report:
    file = path / "result.json" if path.is_dir() else path
    try:
        data = file.read_bytes()
    except OSError as error:
        raise MeasureError(
            f"can't be read: {error.strerror}",
            where=str(file),
            detail="a shard that ends before its report leaves none: its own log says why",
        ) from error
    return read(data, name=str(file))
