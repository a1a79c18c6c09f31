"""`countci doctor`: what would disturb a measurement on this machine, and the remedy."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import click

from countci.cli.options import CACHE, environment
from countci.errors import MeasureError


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
def doctor(cache_dir: Path | None, format_: str) -> int:
    """Tell what would disturb a measurement on this machine, and the remedy.

    Exits with 3 when something stops every measurement.
    """
    import msgspec

    from countci.doctor import examine, render

    env = environment()
    examination = examine(Path(), env, cache_dir or _cache(env))
    if format_ == "json":
        encoded = msgspec.json.format(msgspec.json.encode(examination), indent=2)
        click.echo(encoded.decode())
    else:
        click.echo(
            render(examination, width=min(shutil.get_terminal_size().columns, 100)), nl=False
        )
    return MeasureError.exit_code if examination.stopped else 0


def _cache(env: Mapping[str, str]) -> Path:
    return Path(env.get("XDG_CACHE_HOME") or Path(env.get("HOME", "/"), ".cache")) / "countci"
