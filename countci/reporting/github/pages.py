"""The report as GitHub shows it: the summary of a step, and the comment on a pull request."""

from __future__ import annotations

import re
from dataclasses import replace

from countci.model import Report
from countci.reporting.frame import Frame
from countci.reporting.markdown import page

SUMMARY_LIMIT = 1_000_000
"""Bytes. A summary of more than 1 MiB is dropped whole, with the step green."""
COMMENT_LIMIT = 60_000
"""Bytes. GitHub refuses more than 65,536 code points."""
_KEY = re.compile(r"[A-Za-z0-9_.=/-]{1,100}")


def summary(report: Report, frame: Frame) -> str:
    """Return `report` for the file that GITHUB_STEP_SUMMARY names."""
    return page(report, replace(frame, limit=min(frame.limit, SUMMARY_LIMIT)))


def comment(report: Report, frame: Frame, *, key: str, attempt: str) -> str:
    """Return the body of the comment that tells of `report`.

    Args:
        report: the report.
        frame: where it is shown.
        key: tells apart several comments of countci on one pull request.
        attempt: `run.attempt`, such as `9001.1`: an older run must not overwrite a newer one.

    Raises:
        ValueError: the key or the attempt could end the hidden first line.
    """
    marker = mark(key, attempt)
    return page(report, replace(frame, limit=min(frame.limit, COMMENT_LIMIT), marker=marker))


def attempt_of(body: str, key: str) -> tuple[int, int] | None:
    """Return run and attempt in the mark of a comment; None where `body` is not one of `key`."""
    first = body.partition("\n")[0].rstrip("\r")
    found = re.fullmatch(rf"{re.escape(mark(key))}([0-9]{{1,20}})\.([0-9]{{1,9}}) -->", first)
    return (int(found[1]), int(found[2])) if found else None


def mark(key: str, attempt: str = "") -> str:
    """Return the hidden first line of a comment; without an attempt, what all of `key` begin with.

    Raises:
        ValueError: the key or the attempt could end the hidden line.
    """
    for word in (key, attempt or "1.1"):
        # Two dashes end a comment of HTML.
        if not _KEY.fullmatch(word) or "--" in word:
            raise ValueError(f"{word!r} can't stand in a comment's mark")
    start = f"<!-- countci:v1 {key} "
    return f"{start}{attempt} -->" if attempt else start
