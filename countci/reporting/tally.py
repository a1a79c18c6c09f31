"""The counts of one revision, as text."""

from __future__ import annotations

import msgspec

from countci.model import INSTRUCTIONS, METRICS, Counts, Measurement, Status, Tally
from countci.reporting.clean import lines, one_line
from countci.reporting.layout import Column, Part, table
from countci.reporting.reporter import Look


def render(tally: Tally, look: Look) -> str:
    """Return `tally` as a table for people: whole numbers, since others compare them."""
    revision = tally.side.revision
    head = f"{revision.sha[:7]}  {one_line(revision.name)}  {one_line(revision.subject)}"
    parts = [head]
    if tally.measurements:
        rows = table(_columns(tally.measurements), width=look.width)
        parts += ["", *map(_plain, rows)]
    for name, problem in tally.problems.items():
        parts += ["", f"{one_line(name)}: {one_line(problem.problem)}"]
        parts += [f"  {line}" for line in (problem.where, *lines(problem.detail)) if line]
    fingerprint = tally.fingerprint
    by = f"valgrind {fingerprint.valgrind}, {fingerprint.libc}, {fingerprint.cpu}"
    return "\n".join([*parts, "", by, *_end(tally), ""])


def _end(tally: Tally) -> list[str]:
    """Return what the run ends with, when something is missing."""
    missing = len(tally.problems)
    if not missing:
        return []
    every = missing + len(tally.measurements)
    exit_code = Status.ERROR.exit_code
    return [f"error: {missing} of {every} queries could not be counted (exit {exit_code})"]


def as_json(tally: Tally) -> str:
    """Return `tally` for programs."""
    return msgspec.json.format(msgspec.json.encode(tally), indent=2).decode() + "\n"


def _columns(measurements: tuple[Measurement, ...]) -> list[Column]:
    counts = [each.counts[INSTRUCTIONS.name] for each in measurements]
    return [
        Column(title="query", cells=_cells([one_line(each.query) for each in measurements])),
        Column(
            title="instructions per ask",
            cells=_cells([_number(each) for each in counts]),
            right=True,
        ),
        Column(title="start-up", cells=_cells([_start_up(each) for each in counts]), right=True),
        Column(title="at n =", cells=_cells([_points(each) for each in counts])),
        *(_further(name, measurements) for name in METRICS if METRICS[name].whole),
    ]


def _further(metric: str, measurements: tuple[Measurement, ...]) -> Column:
    """Return the column of a metric that only some queries count; a table leaves out empty ones."""
    found = [each.counts.get(metric) for each in measurements]
    cells = _cells(["" if each is None else _number(each) for each in found])
    return Column(title=metric, cells=cells, right=True)


def _number(counts: Counts) -> str:
    return f"{float(counts.per_ask):,.2f}".removesuffix(".00")


def _start_up(counts: Counts) -> str:
    return "in it" if counts.start_up is None else f"{float(counts.start_up):,.0f}"


def _points(counts: Counts) -> str:
    return ", ".join(str(point.n) for point in counts.points)


def _cells(texts: list[str]) -> tuple[Part, ...]:
    return tuple(Part(text=text) for text in texts)


def _plain(line: tuple[Part, ...]) -> str:
    return "".join(part.text for part in line).rstrip()
