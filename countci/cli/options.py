"""What several sub-commands share: options, and the environment they hand down."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import click

from countci.errors import UsageError
from countci.model import METRICS, Limit
from countci.units import parse_share

Command = TypeVar("Command", bound=Callable[..., object])

QUERY = click.option(
    "--query",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Only these queries: bank/field, bank, 'bank/*'. May be repeated.",
)
CONFIG = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Configuration from this file, and its query files from beside it, instead of head's.",
)
JOBS = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Counted runs at a time.  [default: the cores there are]",
)
LIMIT = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="METRIC=LIMIT",
    help="A limit for every query: instructions=0.5%. May be repeated.",
)
FORMAT = click.option(
    "--format",
    "format_",
    default="terminal",
    show_default=True,
    metavar="NAME",
    help="What is printed: terminal, markdown, json.",
)
OUTPUT = click.option(
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the report there, as its suffix says: .txt .md .json. May be repeated.",
)
CACHE = click.option(
    "--cache-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where builds and known counts are kept.  [default: $XDG_CACHE_HOME/countci]",
)


def options(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return one decorator that applies `decorators`, first one first in the help."""

    def apply(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


def environment() -> Mapping[str, str]:
    """Return the user's environment: read here, once, and handed down."""
    return dict(os.environ)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def parse_limits(texts: tuple[str, ...]) -> dict[str, Limit]:
    """Return the limits of `--limit METRIC=LIMIT`, by metric.

    Raises:
        UsageError: no such metric, or not a limit.
    """
    limits = {}
    for text in texts:
        metric, equals, share = text.partition("=")
        where = f"--limit {text}"
        if not equals or metric not in METRICS:
            known = ", ".join(METRICS)
            raise UsageError(
                f"write it as METRIC=LIMIT; metrics are {known}",
                where=where,
                detail="for example --limit instructions=0.5%",
            )
        limits[metric] = Limit(share=parse_share(share, where=where))
    return limits


def invocation() -> str:
    """Return the command as the user typed it, for the report."""
    import shlex

    return shlex.join(["countci", *sys.argv[1:]])
