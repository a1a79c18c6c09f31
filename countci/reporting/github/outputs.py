"""What later steps of a job are told: lines of the file that GITHUB_OUTPUT names."""

from __future__ import annotations

from collections.abc import Mapping

from countci.model import Report, Status
from countci.reporting.clean import one_line
from countci.reporting.github.commands import defused
from countci.reporting.words import verdict

_MOST_FAILED = 1000


def outputs(report: Report, *, result: str) -> Mapping[str, str]:
    """Return what a step gives out: `status`, `summary`, `failed` (ids, one a line), `report`.

    No line of it is a command, since a later step may print it.

    Args:
        report: the report.
        result: path of its result.json.
    """
    bad = [each.query for each in report.verdicts if each.status in (Status.FAIL, Status.ERROR)]
    return {
        "status": report.status.value,
        "summary": defused(verdict(report)),
        "failed": "\n".join(defused(one_line(query)) for query in bad[:_MOST_FAILED]),
        "report": result,
    }


def output_lines(values: Mapping[str, str], delimiter: str) -> str:
    """Return `values` as the file takes them, between lines of the delimiter.

    Args:
        values: by name.
        delimiter: random and fresh; a text that knew it could add outputs of its own.

    Raises:
        ValueError: a value holds the delimiter.
    """
    if any(delimiter in value for value in values.values()):
        raise ValueError("a value holds the delimiter")
    return "".join(f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items())
