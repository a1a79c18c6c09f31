"""What every form of a history says in the same words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from countci.model import Commit, Entry, History, Problem, Step
from countci.reporting.clean import lines, one_line
from countci.units import show_count, show_limit, show_share


def day(commit: Commit) -> str:
    """Return the author's date, `2026-11-30`, in UTC.

    Source:
        Days to a date of the Gregorian calendar: H. Hinnant, "chrono-compatible low-level
        date algorithms", civil_from_days. What is pure here imports no clock.
    """
    days = commit.authored // 86400 + 719468
    era, rest = divmod(days, 146097)
    year = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    left = rest - (365 * year + year // 4 - year // 100)
    month = (5 * left + 2) // 153
    number = left - (153 * month + 2) // 5 + 1
    month += 3 if month < 10 else -9
    return f"{year + era * 400 + (month <= 2):04}-{month:02}-{number:02}"


def subject(commit: Commit) -> str:
    """Return the first line of its message, made harmless."""
    return one_line(commit.revision.subject)


def summary(history: History) -> str:
    """Return how many commits there are, and what is missing, without a full stop."""
    parts = [_number(len(history.entries), "commit")]
    if history.left_out:
        parts.append(f"{history.left_out:,} more left out")
    unbuilt = sum(entry.problem is not None for entry in history.entries)
    if unbuilt:
        parts.append(f"{unbuilt:,} could not be built")
    steps = _number(len(history.steps), "step")
    parts.append(f"{steps} of more than {show_limit(history.limit)}")
    return ", ".join(parts)


def values(step: Step) -> str:
    """Return both counts: `6.694M → 6.943M`."""
    return f"{show_count(step.base)} → {show_count(step.head)}"


def noise(step: Step) -> str:
    """Return how far the same builds differ from themselves; nothing when they don't."""
    return f" ±{show_share(step.noise).lstrip('+')}" if step.noise else ""


def together(steps: Iterable[Step]) -> list[tuple[Step, ...]]:
    """Return the steps by what made them, in their order; the largest of each in front."""
    made: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        made.setdefault((step.before.sha, step.commit.sha), []).append(step)
    return [tuple(sorted(group, key=lambda step: -abs(step.delta))) for group in made.values()]


def looked(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the shas of the commits that were looked at."""
    return frozenset(entry.commit.sha for entry in entries)


def gaps(history: History) -> list[tuple[str, list[Commit]]]:
    """Return why there are gaps, most commits first, and the commits."""
    found: dict[str, list[Commit]] = {}
    for entry in history.entries:
        for reason in dict.fromkeys(_reasons(entry)):
            found.setdefault(reason, []).append(entry.commit)
    return sorted(found.items(), key=lambda each: -len(each[1]))


def named(commits: Sequence[Commit], most: int = 5) -> str:
    """Return the first few commits, and how many more there are."""
    names = ", ".join(each.sha[:7] for each in commits[:most])
    more = len(commits) - most
    return f"{names} and {more:,} more" if more > 0 else names


def why(entry: Entry, query: str) -> str:
    """Return why a query has no number there, in a few words."""
    reading = entry.readings.get(query)
    if entry.problem:
        return one_line(entry.problem.problem)
    if reading and reading.problem:
        return one_line(reading.problem.problem)
    return "not there"


def _reasons(entry: Entry) -> Iterable[str]:
    if entry.problem:
        yield _told(entry.problem)
    for query, reading in entry.readings.items():
        if reading.problem:
            yield f"{one_line(query)}: {_told(reading.problem)}"


def _told(problem: Problem) -> str:
    """Return a problem with the one line of its output that says most."""
    said = lines(problem.detail)
    errors = [line for line in said if re.search(r"\berror\b", line, re.IGNORECASE)]
    telling = (errors or said[-1:])[:1]
    return ": ".join([one_line(problem.problem), *telling])


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
