"""`countci report`: the result of an earlier run, shown again."""

from __future__ import annotations

from pathlib import Path

import click

from countci.cli import deliver, options
from countci.cli.options import environment
from countci.errors import UsageError
from countci.reporting import read


@click.command()
@click.argument("result", type=click.Path(exists=True, path_type=Path))
@options.OUTPUT
@options.FORMAT
def report(result: Path, format_: str, outputs: tuple[Path, ...]) -> int:
    """Show RESULT again: a result.json, or the folder of a run that holds one.

    The exit code is the one of the run.
    """
    deliver.check_formats(format_, outputs)
    path = result / "result.json" if result.is_dir() else result
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"can't be read: {error.strerror}",
            where=str(path),
            detail="runs are in .countci/results/ of the checkout",
        ) from error
    return deliver.deliver(read(data, name=str(path)), format_, outputs, environment())
