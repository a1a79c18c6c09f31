"""Annotations: what is wrong, on the lines of a pull request that it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from countci.model import Report, Status
from countci.reporting.findings import Finding, findings
from countci.reporting.github.commands import command

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
    """Return what is wrong, worst first: at most nine, then how many more there are."""
    found = tuple(map(_annotation, findings(report)))
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
