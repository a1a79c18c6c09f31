"""Every form of a history, by the name that a user types. To add one: write it, list it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

import msgspec

import countci.reporting.history.markdown as markdown
import countci.reporting.history.svg as svg
import countci.reporting.history.terminal as terminal
from countci.errors import UsageError
from countci.model import History
from countci.reporting.reporter import Look


@dataclass(frozen=True, slots=True)
class Format:
    """How a history is written."""

    suffix: str
    """Of the files it fills, without the point."""
    render: Callable[[History, Look], str]


def _json(history: History, _look: Look) -> str:
    return msgspec.json.format(msgspec.json.encode(history), indent=2).decode() + "\n"


FORMATS: Mapping[str, Format] = {
    "terminal": Format("txt", terminal.render),
    "markdown": Format("md", markdown.render),
    "json": Format("json", _json),
    "svg": Format("svg", svg.render),
}


def format_of(path: PurePath) -> Format:
    """Return the form that the suffix of `path` asks for.

    Raises:
        UsageError: there is none.
    """
    for each in FORMATS.values():
        if path.suffix == f".{each.suffix}":
            return each
    suffixes = ", ".join(f".{each.suffix}" for each in FORMATS.values())
    raise UsageError(
        "no such form of a history", where=str(path), detail=f"files end in {suffixes}"
    )
