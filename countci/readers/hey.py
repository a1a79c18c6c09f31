"""hey: a closed loop of requests."""

from __future__ import annotations

import re

from countci.errors import MeasureError
from countci.readers.patterns import first, lines, missing, number, only, refuse
from countci.readers.reader import CLOSED_LOOP, Number, Reader, metrics

_PERCENTS = (50, 75, 90, 95, 99)
_ROUNDING = 0.002
"""Of a time with four digits after the point, and of a second at least."""


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    if wrong := first(r"^Error distribution:", said):
        told = "\n".join(said[said.index(wrong.string) :][:4])
        raise MeasureError("requests failed", detail=f"it says: {told}")
    rate = only(r"^Requests/sec:\s+(\S+)$", said, "requests per second")
    total = only(r"^Total:\s+(\S+) secs$", said, "total time")
    asked = number(rate[1], rate.string).value * number(total[1], total.string).value
    _check_answers(said, asked)
    average = only(r"^Average:\s+(\S+) secs$", said, "average")
    numbers = {
        "rate": number(rate[1], rate.string),
        "latency": _milliseconds(average),
    }
    for percent in _PERCENTS:
        if found := first(rf"^{percent}%+ in (\S+) secs$", said):
            numbers[f"p{percent}"] = _milliseconds(found)
    return numbers


def _check_answers(said: list[str], asked: float) -> None:
    """Raise a MeasureError unless all that was asked was answered, and well."""
    codes = [found for line in said if (found := re.match(r"^\[(\d+)\]\s+(\d+) responses$", line))]
    if not codes:
        raise missing("distribution of status codes", said)
    for found in codes:
        if not found[1].startswith(("2", "3")):
            refuse(found[2], f"responses with status {found[1]}", found.string)
    answers = sum(int(found[2]) for found in codes)
    # What failed otherwise is told below the codes, which may be cut off.
    if not abs(answers - asked) <= asked * _ROUNDING + 1:
        raise MeasureError(
            f"{answers} answers to {asked:.0f} requests", detail=f"it says: {codes[0].string}"
        )


def _milliseconds(found: re.Match[str]) -> Number:
    return Number(number(found[1], found.string).value * 1e3, found.string)


HEY = Reader(
    metrics=metrics(
        rate=("requests/s", "higher"),
        latency=(CLOSED_LOOP, "lower"),
        **{f"p{percent}": (CLOSED_LOOP, "lower") for percent in _PERCENTS},
    ),
    usual=("rate",),
    read=_read,
)
