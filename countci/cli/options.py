"""What several sub-commands share: options, and the environment they hand down."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from countci.errors import UsageError
from countci.job import Job
from countci.model import METRICS, Limit
from countci.reading.limits import parse_limit

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
    help="What is printed: terminal, markdown, json, html, junit, codeclimate, svg.",
)
OUTPUT = click.option(
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the report there, as its suffix says: .txt .md .json .html .xml"
    " .svg .codeclimate.json. May be repeated.",
)
CACHE = click.option(
    "--cache-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where builds and known counts are kept.  [default: $XDG_CACHE_HOME/countci]",
)


_OPTIONS = {
    "patterns": QUERY,
    "limits": LIMIT,
    "jobs": JOBS,
    "config": CONFIG,
    "cache_dir": CACHE,
    "format_": FORMAT,
    "outputs": OUTPUT,
}
_ABSENT = {"patterns": (), "limits": (), "outputs": (), "format_": "terminal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What the options say that all measuring commands have."""

    patterns: tuple[str, ...]
    limits: tuple[str, ...]
    jobs: int | None
    config: Path | None
    cache_dir: Path | None
    format_: str
    outputs: tuple[Path, ...]

    def job(self, base: str | None, head: str | None, metrics: tuple[str, ...]) -> Job:
        """Return the job of comparing two names, here and now."""
        return Job(
            where=Path.cwd(),
            env=environment(),
            base=base,
            head=head,
            config=self.config,
            patterns=self.patterns,
            limits=parse_limits(self.limits),
            metrics=metrics,
            jobs=self.jobs or cores(),
            cache_dir=self.cache_dir,
        )


def shared(*without: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator that gives a command all shared options as one `Shared`.

    Args:
        without: fields of `Shared` that mean nothing to the command; it has no such option.
    """
    names = [field.name for field in dataclasses.fields(Shared)]

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(command)
        def gathered(**given: Any) -> int:  # noqa: ANN401 - click's own
            own: dict[str, Any] = {
                name: _ABSENT.get(name) if name in without else given.pop(name) for name in names
            }
            return command(shared=Shared(**own), **given)

        for name in reversed([each for each in _OPTIONS if each not in without]):
            gathered = _OPTIONS[name](gathered)
        return gathered

    return decorate


def environment() -> Mapping[str, str]:
    """Return the user's environment: read here, once, and handed down."""
    return dict(os.environ)


def cache(env: Mapping[str, str]) -> Path:
    """Return where builds and known counts are kept unless something else is said."""
    return Path(env.get("XDG_CACHE_HOME") or Path(env.get("HOME", "/"), ".cache")) / "countci"


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
        limits[metric] = parse_limit(share, where=where)
    return limits


def parse_shard(text: str) -> tuple[int, int]:
    """Return number and count of `--shard 2/4`.

    Raises:
        UsageError: it is written in another way, or there is no such shard.
    """
    import re

    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text)
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(
            "write it as I/N, I from 1 to N", where=f"--shard {text}", detail="for example 2/4"
        )
    return int(found[1]), int(found[2])


def invocation() -> str:
    """Return the command as the user typed it, for the report."""
    import shlex

    return shlex.join(["countci", *sys.argv[1:]])
