"""A history for people at a terminal: a table and a plot a query, then the steps and the gaps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from countci.model import Entry, History, Step
from countci.reporting.clean import one_line
from countci.reporting.history.following import after_step
from countci.reporting.history.plot import Frame, plot
from countci.reporting.history.words import (
    day,
    gaps,
    looked,
    named,
    noise,
    subject,
    summary,
    together,
    values,
    why,
)
from countci.reporting.layout import cut, wrap
from countci.reporting.reporter import Look
from countci.reporting.typed import typed
from countci.reporting.words import heading
from countci.units import show_count, show_seconds, show_share

_NARROWEST = 60
_PLOT_LINES = 6
_COLUMNS = (7, 10, 7, 9, 9)
"""Cells of commit, date, count, change, and change since the first; the subject has the rest."""
_WIDEST_PLOT = 100
_MOST_QUIET = 4
"""Commits in a row that changed nothing are all shown up to this number."""


def render(history: History, look: Look, *, braille: bool = True) -> str:
    """Return `history` in lines of at most `look.width` columns.

    Args:
        history: what was found.
        look: how wide.
        braille: whether what prints it knows more than ASCII.
    """
    width = max(_NARROWEST, look.width)
    lines = wrap(f"{one_line(history.range)}: {summary(history)}", width, later="  ")
    for notice in history.notices:
        lines += wrap(one_line(notice.text), width, first="! ", later="  ")
    for query in history.queries:
        lines += ["", *_query(history, query, width, braille=braille)]
    lines += _steps(history, width)
    lines += _gaps(history, width)
    by = f"valgrind {history.fingerprint.valgrind}; {show_seconds(history.seconds)} in all"
    lines += ["", *wrap(by, width)]
    if history.command:
        lines += typed(one_line(history.command), width, first="again: ", later="  ")
    return "".join(line.rstrip() + "\n" for line in lines)


def _query(history: History, query: str, width: int, *, braille: bool) -> list[str]:
    moved = {step.commit.sha for step in history.steps if step.query == query}
    frame = Frame(width=min(width, _WIDEST_PLOT), height=_PLOT_LINES, braille=braille)
    numbers = [
        reading.per_ask if (reading := entry.readings.get(query)) else None
        for entry in history.entries
    ]
    drawn = plot(numbers, frame)
    title = f"{one_line(query)}: {heading(history.metric)[:1].lower()}{heading(history.metric)[1:]}"
    titles = ("commit", "date", "per ask", "change", "in all")
    return [
        *wrap(title, width),
        _row(titles, "", width),
        *_entries(history.entries, query, width, moved),
        *(["", *drawn] if drawn else []),
    ]


def _entries(entries: Sequence[Entry], query: str, width: int, moved: Collection[str]) -> list[str]:
    """Return a row a commit; of many in which nothing changed, the last one and how many more."""
    lines: list[str] = []
    for quiet, group in groupby(entries, key=lambda entry: _is_quiet(entry, query)):
        found = list(group)
        left_out = found[:-1] if quiet and len(found) > _MOST_QUIET else []
        if left_out:
            text = f"  … {len(left_out)} commits without a change"
            lines.append(_row(("…", "", "", "", ""), text, width))
        shown = found[len(left_out) :]
        lines += [_entry(each, query, width, step=each.commit.sha in moved) for each in shown]
    return lines


def _is_quiet(entry: Entry, query: str) -> bool:
    reading = entry.readings.get(query)
    return reading is not None and reading.change == 0


def _entry(entry: Entry, query: str, width: int, *, step: bool) -> str:
    commit, reading = entry.commit, entry.readings.get(query)
    mark = "* " if step else "  "
    if reading is None or reading.per_ask is None:
        cells = (commit.sha[:7], day(commit), "–", "", "")
        return _row(cells, f"  {why(entry, query)}", width)
    cells = (
        commit.sha[:7],
        day(commit),
        show_count(reading.per_ask),
        _share(reading.change),
        _share(reading.since),
    )
    return _row(cells, f"{mark}{subject(commit)}", width)


def _share(share: float | None) -> str:
    return "" if share is None else show_share(share)


def _row(cells: Sequence[str], rest: str, width: int) -> str:
    left = [cell.ljust(size) for cell, size in zip(cells[:2], _COLUMNS[:2], strict=True)]
    right = [cell.rjust(size) for cell, size in zip(cells[2:], _COLUMNS[2:], strict=True)]
    start = " ".join([*left, *right])
    return f"{start} {cut(rest, width - len(start) - 1)}".rstrip()


def _steps(history: History, width: int) -> list[str]:
    lines: list[str] = []
    known = looked(history.entries)
    for group in together(history.steps):
        following = after_step(group[0], known, history.options, limit=history.limit)
        lines += ["", *step_lines(group, following, width)]
    return ["", "Steps", *lines[1:]] if lines else []


def step_lines(steps: Sequence[Step], following: str, width: int) -> list[str]:
    """Return which commit made the steps, what they are, and the command that follows."""
    made = steps[0]
    if made.sure:
        commit = made.commit
        text = f"{commit.sha[:10]}  {day(commit)}  {subject(commit)}"
        lines = wrap(text, width, first="  ", later="    ")
    else:
        count = f"one of {len(made.suspects)} commits, of which only the last was measured:"
        lines = wrap(count, width, first="  ", later="  ")
        lines += [cut(f"      {each}", width) for each in _shown(made)]
    for step in steps:
        text = f"{show_share(step.delta)}{noise(step)}  {one_line(step.query)}  {values(step)}"
        lines += wrap(text, width, first="    ", later="      ")
    return [*lines, *typed(following, width, first="    ", later="      ")]


def _shown(step: Step, most: int = 10) -> list[str]:
    """Return the suspects, the last one always among them."""
    texts = [f"{each.sha[:10]}  {day(each)}  {subject(each)}" for each in step.suspects]
    if len(texts) <= most:
        return texts
    return [*texts[: most - 2], f"… {len(texts) - most + 1} more", texts[-1]]


def _gaps(history: History, width: int) -> list[str]:
    lines: list[str] = []
    for reason, commits in gaps(history):
        lines += wrap(f"{named(commits)}: {reason}", width, first="  ", later="    ")
    return ["", "Gaps", *lines] if lines else []
