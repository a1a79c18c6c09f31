"""What GitHub shows of a report: summary, comment, annotations, outputs. Pure."""

from countci.reporting.frame import Frame
from countci.reporting.github.annotations import Annotation, annotate, annotation_lines
from countci.reporting.github.commands import command, defused
from countci.reporting.github.outputs import output_lines, outputs
from countci.reporting.github.pages import (
    COMMENT_LIMIT,
    SUMMARY_LIMIT,
    attempt_of,
    comment,
    mark,
    summary,
)

__all__ = [
    "COMMENT_LIMIT",
    "SUMMARY_LIMIT",
    "Annotation",
    "Frame",
    "annotate",
    "annotation_lines",
    "attempt_of",
    "command",
    "comment",
    "defused",
    "mark",
    "output_lines",
    "outputs",
    "summary",
]
