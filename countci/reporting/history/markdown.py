"""A history as GitHub's Markdown: steps on top, the tables folded."""

from __future__ import annotations

from countci.model import Entry, History, Step
from countci.reporting.history.following import after_step
from countci.reporting.history.words import (
    day,
    gaps,
    looked,
    named,
    noise,
    subject,
    summary,
    together,
    why,
)
from countci.reporting.markdown_text import code, folded, sentence, table
from countci.reporting.reporter import Look
from countci.units import show_count, show_share

_LEFT, _RIGHT = ":--", "--:"


def render(history: History, look: Look) -> str:  # noqa: ARG001 - every format's signature
    """Return `history`: what moved, then every commit."""
    parts = [
        f"### countci log {code(history.range)}\n",
        f"{sentence(summary(history))}.\n",
        _steps(history),
        "".join(f"- {sentence(notice.text)}\n" for notice in history.notices),
        *(folded(f"Query {number}", _query(history, query)) for number, query in _named(history)),
        _gaps(history),
    ]
    return "\n".join(part for part in parts if part)


def _named(history: History) -> list[tuple[int, str]]:
    return list(enumerate(history.queries, start=1))


def _steps(history: History) -> str:
    titles = [("Commit", _LEFT), ("", _LEFT), ("Query", _LEFT), ("Change", _RIGHT), ("", _LEFT)]
    known = looked(history.entries)
    rows = []
    for group in together(history.steps):
        made = group[0]
        commit = f"{code(made.commit.sha[:10])} {day(made.commit)}"
        following = code(after_step(made, known, history.options, limit=history.limit))
        for first, step in zip((True, *[False] * len(group)), group, strict=False):
            change = f"**{show_share(step.delta)}**{noise(step)}"
            start = (commit, _made_by(made)) if first else ("", "")
            rows.append((*start, code(step.query), change, following if first else ""))
    return table(titles, rows) if rows else ""


def _made_by(step: Step) -> str:
    if step.sure:
        return code(subject(step.commit))
    return f"one of {len(step.suspects)} commits up to it"


def _query(history: History, query: str) -> str:
    titles = [("Commit", _LEFT), ("Date", _LEFT), ("Per ask", _RIGHT), ("Change", _RIGHT)]
    titles += [("In all", _RIGHT), ("Subject", _LEFT)]
    rows = (_row(entry, query) for entry in history.entries)
    return f"{code(query)}\n\n{table(titles, rows)}"


def _row(entry: Entry, query: str) -> tuple[str, ...]:
    commit, reading = entry.commit, entry.readings.get(query)
    start = (code(commit.sha[:10]), day(commit))
    if reading is None or reading.per_ask is None:
        return (*start, "–", "", "", sentence(why(entry, query)))
    shares = ("" if each is None else show_share(each) for each in (reading.change, reading.since))
    return (*start, show_count(reading.per_ask), *shares, code(subject(commit)))


def _gaps(history: History) -> str:
    return "".join(
        f"- {code(named(commits))}: {sentence(reason)}\n" for reason, commits in gaps(history)
    )
