"""What is wrong, one remark a thing, and the lines of the repository where it belongs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from countci.model import Blame, Report, Status
from countci.reporting.clean import inside, one_line
from countci.reporting.explained import blamed
from countci.reporting.reasons import Paragraph, reasons
from countci.reporting.rows import Row, rows, worst_first
from countci.reporting.words import named

_DETAILS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    status: Status
    """Never `pass`."""
    queries: str
    """Their names, for a title."""
    text: str
    """What is wrong; the end of a program's output may follow, on lines of its own."""
    key: tuple[str, ...]
    """Query and metric: the same in another run, whatever the numbers."""
    file: str = ""
    """From the top of the repository; empty where no file of it can be named."""
    first: int = 0
    """Line, from 1; 0: the file as a whole."""
    last: int = 0
    sure: bool = True
    """False where the lines are the most likely ones."""


def findings(report: Report) -> tuple[Finding, ...]:
    """Return why queries have no result, then metrics that failed or can't be decided, worst first.

    A failure stands on the hunk that is named for it, everything else on the query file.
    """
    return (*_problems(report), *_changes(report))


def _problems(report: Report) -> Iterator[Finding]:
    files = _files(report)
    for paragraph in reasons(report):
        if paragraph.bad:
            yield Finding(
                status=Status.ERROR,
                queries=named(paragraph.queries),
                text=_told(paragraph),
                key=(paragraph.queries[0], ""),
                file=files.get(paragraph.queries[0], ""),
            )


def _changes(report: Report) -> Iterator[Finding]:
    files = _files(report)
    why = {
        (one_line(each.query), each.metric): each.blame and (each.blame, blamed(each))
        for each in report.explanations
    }
    for row in worst_first(rows(report)):
        if not row.metric or row.status not in (Status.FAIL, Status.UNSETTLED):
            continue
        blame = why.get((row.query, row.metric)) if row.status is Status.FAIL else None
        if blame:
            yield _on_hunk(row, *blame)
        else:
            yield Finding(
                status=row.status,
                queries=row.query,
                text=_said(row),
                key=(row.query, row.metric),
                file=files.get(row.query, ""),
            )


def _on_hunk(row: Row, blame: Blame, sentence: str) -> Finding:
    texts = (_said(row), sentence, one_line(blame.words))
    return Finding(
        status=Status.FAIL,
        queries=row.query,
        text="; ".join(text for text in texts if text),
        key=(row.query, row.metric),
        file=inside(blame.hunk.file),
        first=max(1, blame.hunk.first),
        last=max(1, blame.hunk.first, blame.hunk.last),
        sure=blame.sure,
    )


def _said(row: Row) -> str:
    unclear = ": the data can't decide" if row.status is Status.UNSETTLED else ""
    return f"{row.metric} {row.change} ({row.values}, limit {row.limit}){unclear}"


def _told(paragraph: Paragraph) -> str:
    last = paragraph.detail[-_DETAILS:]
    return "\n".join(part for part in (paragraph.text, paragraph.where, *last) if part)


def _files(report: Report) -> Mapping[str, str]:
    """Return the query file of each query, by its name as rows and paragraphs have it."""
    found = {}
    for comparison in report.comparisons:
        file = inside(comparison.query.file)
        found[comparison.query.id] = file
        found[one_line(comparison.query.id)] = file
    return found
