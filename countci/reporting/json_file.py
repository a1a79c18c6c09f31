"""The report as JSON: written, read back strictly, and its published schema."""

from __future__ import annotations

import json
import re

import msgspec

from countci.errors import UsageError
from countci.model import Report
from countci.reporting.reporter import Look

VERSION = 1
"""Of the schema; a change that a reader would trip over makes it one more."""


class Json:
    """Renders the whole report, raw samples included."""

    suffix = "json"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return `report` as indented ASCII; equal reports give equal text.

        Raises:
            ValueError: a number in it is not finite, which is a bug where it was made.
        """
        plain = msgspec.to_builtins(report, order="deterministic")
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=2)
        # A half of a surrogate pair (a name that is no UTF-8) could not be read back.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return re.sub(r"[^\n -~]", _escaped, text) + "\n"


def read(data: bytes, *, name: str) -> Report:
    """Return the report that is written in `data`, the content of the file `name`.

    Raises:
        UsageError: it is no JSON, another version's, or not exactly a report; names the key.
    """
    try:
        _check_version(data, name)
        report = msgspec.json.decode(data, type=Report)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        raise UsageError(
            f"not a report: {problem[0].lower()}{problem[1:]}",
            where=f"{name}: {path.strip('`')}" if path else name,
            detail="give the result.json of a run, as countci wrote it",
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(
            f"not JSON: {error}", where=name, detail="give the result.json of a run, whole"
        ) from error
    if [verdict.query for verdict in report.verdicts] != [
        comparison.query.id for comparison in report.comparisons
    ]:
        raise UsageError(
            "not a report: its verdicts and its comparisons name different queries", where=name
        )
    return report


def schema() -> bytes:
    """Return the JSON schema of a report, as it is published in docs/schema."""
    made = msgspec.json.schema(Report)
    made["$defs"]["Report"]["properties"]["schema"] = {"const": VERSION}
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:countci:report:{VERSION}",
        "title": f"countci report, version {VERSION}",
        **made,
    }
    return (json.dumps(described, indent=2) + "\n").encode()


class _Versioned(msgspec.Struct):
    schema: int


def _check_version(data: bytes, name: str) -> None:
    found = msgspec.json.decode(data, type=_Versioned).schema
    if found != VERSION:
        raise UsageError(
            f"written with schema {found}; this countci reads schema {VERSION}",
            where=name,
            detail="read it with the countci that wrote it, or run the comparison again",
        )


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"
