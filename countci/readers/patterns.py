"""Lines of text, and the numbers in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from countci.errors import MeasureError
from countci.readers.reader import Number

_TIME = re.compile(r"([0-9.]+)(us|ms|s|m|h)")
_IN_MILLISECONDS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 60e3, "h": 3600e3}
SHOWN = 200
"""Characters of a line that are quoted."""


def lines(text: str) -> list[str]:
    """Return the lines, progress that overwrote itself among them, without blanks around them."""
    return [line.strip() for line in text.splitlines()]


def first(pattern: str, text: Iterable[str]) -> re.Match[str] | None:
    """Return the match in the first line that has one."""
    return next((found for line in text if (found := re.search(pattern, line))), None)


def only(pattern: str, text: Iterable[str], what: str) -> re.Match[str]:
    """Return the match of the one line that has one.

    Raises:
        MeasureError: no line has, or several have; which of these is meant is not guessed.
    """
    matches = [found for line in text if (found := re.search(pattern, line))]
    if not matches:
        raise missing(what, text)
    if len(matches) > 1:
        both = "\n".join(found.string for found in matches[:2])
        problem = f"{len(matches)} lines tell {what}, and one is expected"
        raise MeasureError(problem, detail=both)
    return matches[0]


def blocks(pattern: str, text: Sequence[str]) -> list[Sequence[str]]:
    """Return the lines from each one that has a match to the next such one."""
    starts = [row for row, line in enumerate(text) if re.search(pattern, line)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=False)]


def number(text: str, line: str) -> Number:
    """Return the number that is written so.

    Raises:
        MeasureError: it is none; quotes the line.
    """
    try:
        return Number(float(text.replace(",", "")), line)
    except ValueError as error:
        raise MeasureError(f"{text!r} is no number", detail=f"it says: {line}") from error


def milliseconds(text: str, line: str) -> Number:
    """Return a time as wrk and h2load write it (`65.00us`, `1.2s`), in milliseconds.

    Raises:
        MeasureError: it is none; quotes the line.
    """
    found = _TIME.fullmatch(text)
    if not found:
        raise MeasureError(f"{text!r} is no time", detail=f"it says: {line}")
    return Number(number(found[1], line).value * _IN_MILLISECONDS[found[2]], line)


def refuse(count: str, what: str, line: str) -> None:
    """Raise a MeasureError unless `count`, of things that went wrong, is zero."""
    if number(count, line).value != 0:
        raise MeasureError(f"{count} {what}", detail=f"it says: {line}")


def missing(what: str, text: Iterable[str]) -> MeasureError:
    """Return the error that says so, with the end of the output."""
    said = [line[:SHOWN] for line in text if line][-5:]
    detail = "\n".join(["its output ends:", *said]) if said else "it printed nothing"
    return MeasureError(f"there is no {what} in its output", detail=detail)


def check_pattern(pattern: str) -> str:
    """Return what is wrong with a user's own pattern; empty when nothing is."""
    try:
        groups = re.compile(pattern, re.MULTILINE).groups
    except re.error as error:
        return f"no regular expression: {error}"
    return "" if groups == 1 else f"one group is the number, and it has {groups}"
