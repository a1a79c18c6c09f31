"""Annotations: what is wrong, on the lines of a pull request that it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from countci.model import Report, Status
from countci.reporting.findings import Finding, findings
from countci.reporting.github.commands import command
from countci.reporting.rows import ACCEPTED, rows

MOST = 9
"""GitHub keeps ten errors a step, and the step's own `Process completed` is one of them."""
_LONGEST = 1000


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
    """Return what is wrong, worst first, then what was accepted: nine, then how many more."""
    found = (*map(_annotation, findings(report)), *_accepted(report))
    left = len(found) - MOST
    if left <= 0:
        return found
    more = Annotation(
        level="notice",
        title="countci",
        message=f"and {left} more: the summary of the run has them all",
    )
    return (*found[:MOST], more)


def annotation_lines(report: Report) -> str:
    """Return the annotations as commands to the runner, a line each."""
    return "".join(map(_line, annotate(report)))


def _annotation(finding: Finding) -> Annotation:
    likely = finding.status is Status.UNSETTLED or not finding.sure
    return Annotation(
        level="warning" if likely else "error",
        title=f"countci: {finding.queries}",
        message=finding.text,
        file=finding.file,
        first=finding.first,
        last=finding.last,
    )


def _accepted(report: Report) -> Iterator[Annotation]:
    """Yield what passes only because a commit says so: whoever reviews should see it."""
    for row in rows(report):
        if row.word == ACCEPTED:
            yield Annotation(
                level="notice",
                title=f"countci: {row.query}, accepted",
                message=f"{row.metric} {row.change} ({row.values}, limit {row.limit}): accepted",
            )


def _line(annotation: Annotation) -> str:
    in_file = bool(annotation.file)
    return command(
        annotation.level,
        annotation.message[:_LONGEST],
        {
            "file": annotation.file,
            "line": annotation.first if in_file else 0,
            "endLine": annotation.last if in_file else 0,
            "title": annotation.title[:200],
        },
    )
