"""Annotations: what is wrong, on the lines of a pull request that it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from countci.model import Blame, Explanation, Report, Status
from countci.reporting.clean import one_line
from countci.reporting.explained import blamed
from countci.reporting.github.commands import command
from countci.reporting.reasons import Paragraph, reasons
from countci.reporting.rows import Row, rows, worst_first
from countci.reporting.words import named

MOST = 9
"""GitHub keeps ten errors a step, and the step's own `Process completed` is one of them."""
_LONGEST = 1000
_DETAILS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One remark on a file."""

    level: Literal["error", "warning", "notice"]
    title: str
    message: str
    file: str = ""
    """From the top of the repository; empty for none."""
    first: int = 0
    """Line, from 1; 0 for none."""
    last: int = 0


def annotate(report: Report) -> tuple[Annotation, ...]:
    """Return what is wrong, worst first: at most nine, then how many more there are."""
    found = [*_problems(report), *_changes(report)]
    left = len(found) - MOST
    if left <= 0:
        return tuple(found)
    more = Annotation(
        level="notice",
        title="countci",
        message=f"and {left} more: the summary of the run has them all",
    )
    return (*found[:MOST], more)


def annotation_lines(report: Report) -> str:
    """Return the annotations as commands to the runner, a line each."""
    return "".join(map(_line, annotate(report)))


def _problems(report: Report) -> Iterator[Annotation]:
    """Yield an error for each reason why queries have no result."""
    files = _files(report)
    for paragraph in reasons(report):
        if paragraph.bad:
            yield Annotation(
                level="error",
                title=f"countci: {named(paragraph.queries)}",
                message=_told(paragraph),
                file=files.get(paragraph.queries[0], ""),
            )


def _changes(report: Report) -> Iterator[Annotation]:
    """Yield one for each metric that failed, or can't be decided."""
    files = _files(report)
    why = {
        (one_line(each.query), each.metric): each
        for each in report.explanations
        if each.blame is not None
    }
    for row in worst_first(rows(report)):
        if not row.metric:
            continue
        explanation = why.get((row.query, row.metric))
        if row.status is Status.FAIL and explanation is not None and explanation.blame is not None:
            yield _on_hunk(row, explanation, explanation.blame)
        elif row.status in (Status.FAIL, Status.UNSETTLED):
            yield Annotation(
                level="error" if row.status is Status.FAIL else "warning",
                title=f"countci: {row.query}",
                message=_said(row),
                file=files.get(row.query, ""),
            )


def _on_hunk(row: Row, explanation: Explanation, blame: Blame) -> Annotation:
    return Annotation(
        level="error" if blame.sure else "warning",
        title=f"countci: {row.query}",
        message=". ".join(
            part for part in (_said(row), blamed(explanation), one_line(blame.words)) if part
        ),
        file=_inside(blame.hunk.file),
        first=blame.hunk.first,
        last=blame.hunk.last,
    )


def _said(row: Row) -> str:
    return f"{row.metric} {row.change} ({row.base} → {row.head}, limit {row.limit}): {row.word}"


def _told(paragraph: Paragraph) -> str:
    last = paragraph.detail[-_DETAILS:]
    return "\n".join(part for part in (paragraph.text, paragraph.where, *last) if part)


def _files(report: Report) -> Mapping[str, str]:
    """Return the query file of each query, by its name as rows and paragraphs have it."""
    found = {}
    for comparison in report.comparisons:
        file = _inside(comparison.query.file)
        found[comparison.query.id] = file
        found[one_line(comparison.query.id)] = file
    return found


def _inside(path: str) -> str:
    """Return `path` where it names something in the repository, else nothing."""
    parts = PurePosixPath(path)
    return "" if parts.is_absolute() or ".." in parts.parts or one_line(path) != path else path


def _line(annotation: Annotation) -> str:
    first = max(annotation.first, 1) if annotation.first or annotation.last else 0
    return command(
        annotation.level,
        annotation.message[:_LONGEST],
        {
            "file": annotation.file,
            "line": first if annotation.file else 0,
            "endLine": max(first, annotation.last) if annotation.file else 0,
            "title": annotation.title[:200],
        },
    )
