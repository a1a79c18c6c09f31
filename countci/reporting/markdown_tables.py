"""The tables of a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from countci.reporting.budget import Section
from countci.reporting.markdown_text import code, folded, sentence, table
from countci.reporting.rows import Row, worst
from countci.reporting.sweeps import Sweep

_MOST_ROWS = 20
_LONGEST = 100
_LEFT, _RIGHT = ":--", "--:"


def worst_of(look_at: Sequence[Row]) -> str:
    """Return the sentence that names what failed worst; empty when nothing did."""
    said = [
        f"{code(row.query)} **{row.change}** {_metric(row)} (limit {_limit(row)})"
        for row in worst(look_at)
    ]
    return f"Worst: {', '.join(said)}.\n" if said else ""


def needs_a_look(look_at: Sequence[Row], *, rank: int) -> Section:
    """Return the table of what didn't pass, at most twenty rows."""
    if not look_at:
        return Section(before="")
    names = ("Query", "Metric"), ("Base", "Head", "Change", "Limit")
    titles = [(name, _LEFT) for name in names[0]] + [(name, _RIGHT) for name in names[1]]
    body = [
        (
            code(row.query),
            _metric(row),
            sentence(row.base),
            sentence(row.head),
            _change(row),
            _limit(row),
            row.word,
        )
        for row in look_at[:_MOST_ROWS]
    ]
    left = len(look_at) - len(body)
    more = f"\n{left} more such rows are in the table below.\n" if left else ""
    lines = table([*titles, ("Verdict", _LEFT)], body)
    return replace(_rows(lines, rank=rank), after=more)


def of_sweep(sweep: Sweep, *, rank: int) -> Section:
    """Return the table of one metric over the values of a sweep."""
    right = ("Base", "Head", "Change", f"Speed-up {sweep.formula}", "Limit")
    titles = [
        (sentence(sweep.title[:_LONGEST]), _RIGHT),
        *((each, _RIGHT) for each in right),
        ("Verdict", _LEFT),
    ]
    body = [
        (
            sentence(row.query) if row.word else f"**{row.query}**",
            sentence(row.base),
            sentence(row.head),
            _change(row),
            row.speed_up,
            _limit(row),
            row.word,
        )
        for row in sweep.rows()
    ]
    name = f"{code(sweep.query)} by {sentence(sweep.title[:_LONGEST])}"
    whole = _rows(table(titles, body), rank=rank)
    heading = f"**{name}: {sentence(sweep.metric.name[:_LONGEST])}**\n\n"
    return replace(whole, before=heading + whole.before)


def everything(title: str, found: Iterable[Row], *, rank: int) -> Section:
    """Return all rows in a table that is folded until somebody clicks on its title."""
    left = ("Query", "Metric")
    right = (
        "Base",
        "Head",
        "Change",
        "Start-up",
        "Interval",
        "Noise",
        "Pairs",
        "Core share",
        "Limit",
    )
    titles = [(name, _LEFT) for name in left] + [(name, _RIGHT) for name in right]
    body = [
        (
            code(row.query) if row.word else f"**{row.query}**",
            _metric(row),
            sentence(row.base),
            sentence(row.head),
            row.change,
            row.start_up,
            _interval(row),
            row.noise,
            row.pairs,
            row.core_share,
            _limit(row),
            row.word,
        )
        for row in found
    ]
    whole = _rows(table([*titles, ("Verdict", _LEFT)], body), rank=rank)
    start, _, end = folded(title, "\0").partition("\0")
    return replace(whole, before=start + whole.before, after=end)


def _limit(row: Row) -> str:
    return sentence(row.limit[:_LONGEST])


def _metric(row: Row) -> str:
    return sentence(row.metric[:_LONGEST])


def _interval(row: Row) -> str:
    # Square brackets could be taken for a link together with what follows.
    return row.interval.strip("[]").replace(", ", " to ")


def _change(row: Row) -> str:
    return f"{row.change} ({_interval(row)})" if row.interval else row.change


def _rows(lines: str, *, rank: int) -> Section:
    """Return a table whose rows may be cut, but not its titles."""
    titles, alignment, *body = lines.splitlines(keepends=True)
    return Section(before=titles + alignment, rows=tuple(body), rank=rank)
