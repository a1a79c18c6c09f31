"""redis-benchmark, as text or with `--csv`: a part for each command; a closed loop."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from countci.errors import MeasureError
from countci.readers.patterns import blocks, first, lines, missing, number
from countci.readers.reader import CLOSED_LOOP, Number, Reader, metrics, united

_FIELDS = {
    "rps": "rate",
    "avg_latency_ms": "latency",
    "p50_latency_ms": "p50",
    "p95_latency_ms": "p95",
    "p99_latency_ms": "p99",
}
_COLUMNS = {"avg": "latency", "p50": "p50", "p95": "p95", "p99": "p99"}


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    if wrong := first(r"(?i)^(error|could not connect|-?ERR |WRONGTYPE)|connection refused", said):
        raise MeasureError("the server answered with an error", detail=f"it says: {wrong.string}")
    rows = [line for line in said if line.startswith('"')]
    parts = _of_csv(rows) if rows else _of_text(said)
    if not parts:
        raise missing("result", said)
    return united(parts)


def _of_csv(rows: Sequence[str]) -> dict[str, dict[str, Number]]:
    parts = {}
    titles = _cells(rows[0])
    for line in rows[1:]:
        cells = _cells(line)
        if len(cells) != len(titles):
            problem = f"{len(cells)} cells in a row, and {len(titles)} titles"
            raise MeasureError(problem, detail=f"it says: {line}")
        row = dict(zip(titles, cells, strict=True))
        known = {_FIELDS[key]: value for key, value in row.items() if key in _FIELDS}
        parts[cells[0]] = {name: number(value, line) for name, value in known.items()}
    return parts


def _cells(line: str) -> list[str]:
    return next(csv.reader([line]))


def _of_text(said: Sequence[str]) -> dict[str, dict[str, Number]]:
    parts = {}
    for block in blocks(r"={6} .+ ={6}$", said):
        name = block[0].split("====== ")[1].removesuffix(" ======").rstrip()
        parts[name] = _test(block)
    return parts


def _test(said: Sequence[str]) -> dict[str, Number]:
    rate = first(r"^throughput summary: (\S+) requests per second$", said)
    if rate is None:
        raise missing("throughput summary", said)
    numbers = {"rate": number(rate[1], rate.string)}
    heads = [row for row, line in enumerate(said) if re.match(r"avg\s+min\s+p50\s", line)]
    if heads and heads[0] + 1 < len(said):
        line = said[heads[0] + 1]
        cells = dict(zip(said[heads[0]].split(), line.split(), strict=False))
        numbers |= {
            name: number(cells[column], line)
            for column, name in _COLUMNS.items()
            if column in cells
        }
    return numbers


REDIS_BENCHMARK = Reader(
    metrics=metrics(
        rate=("requests/s", "higher"),
        latency=(CLOSED_LOOP, "lower"),
        p50=(CLOSED_LOOP, "lower"),
        p95=(CLOSED_LOOP, "lower"),
        p99=(CLOSED_LOOP, "lower"),
    ),
    usual=("rate",),
    read=_read,
    parts=True,
)
