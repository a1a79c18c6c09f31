"""`countci report`: the result of an earlier run, shown again."""

from __future__ import annotations

from pathlib import Path

import click

import countci.cli.deliver as deliver
import countci.cli.options as options
from countci.cli.options import environment
from countci.errors import UsageError
from countci.reporting import read


@click.command()
@click.argument("result", required=False, type=click.Path(exists=True, path_type=Path))
@options.OUTPUT
@options.FORMAT
def report(result: Path | None, format_: str, outputs: tuple[Path, ...]) -> int:
    """Show RESULT again: a result.json, or a folder that holds one; the last run unless named.

    The exit code is the one of the run.
    """
    deliver.check_formats(format_, outputs)
    path = result or _last()
    path = path / "result.json" if path.is_dir() else path
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"can't be read: {error.strerror}",
            where=str(path),
            detail="runs are in .countci/results/ of the checkout",
        ) from error
    return deliver.deliver(read(data, name=str(path)), format_, outputs, environment())


def _last() -> Path:
    """Return the folder of the newest run here, or in a folder above.

    Raises:
        UsageError: there is none.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        runs = sorted((folder / ".countci" / "results").glob("[0-9]*"))
        if runs:
            return runs[-1]
    raise UsageError(
        "no run has left a result here", where=str(here), detail="countci compare leaves one"
    )
