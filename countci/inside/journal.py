"""The file that a suite writes: one JSON object a line.

A test: `id`, `outcome` (`passed`, `failed`, `skipped`, or `unused` when it asked nothing),
`why` (the end of pytest's own words), `how` (`call`, `pedantic`, `marker`), `notes`, and, when
it was counted, `plan`, `segments`, `empty` as function.py has them, and `answer`, the digest
of what an ask returned. A later line of the same id replaces an earlier one. A file that can't
be collected is a line with outcome `failed`.

The last line has `end` (the number of tests), `python`, `pytest`, `flat`. Without it, the
suite was stopped half way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .asks import Counted

_TAIL: Final = 2000


class Journal:
    """Appends whole lines to one file, from any number of processes."""

    def __init__(self, path: Path) -> None:
        """Begin with an empty file."""
        self._path = path
        path.write_bytes(b"")

    def write(self, line: dict[str, Any]) -> None:
        """Append one line."""
        data = json.dumps(line).encode() + b"\n"
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, data)  # one call: lines of two processes don't mix
        finally:
            os.close(file)

    def failed(self, test: str, why: str) -> None:
        """Append that a test has no count."""
        self.write({"id": test, "outcome": "failed", "why": why[-_TAIL:], "how": "", "notes": []})


def line_of(
    test: str, outcome: tuple[str, str], counted: Counted | None, how: str, notes: Sequence[str]
) -> dict[str, Any]:
    """Return the line of a test.

    Args:
        test: its id.
        outcome: pytest's word, and why.
        counted: its asks; None when there were none.
        how: it asked.
        notes: what a reader of the report should know.
    """
    word, why = outcome
    if word == "passed" and counted is None:
        word, why = "unused", "the test passed without asking anything of its benchmark fixture"
    line: dict[str, Any] = {"id": test, "outcome": word, "why": why[-_TAIL:], "how": how}
    line["notes"] = list(notes)
    if counted is not None and word == "passed":
        if counted.first.sleeps:
            line["notes"].append(
                f"it sleeps: an ask takes {counted.first.wall:.1f} s, most of it waiting"
            )
        line |= {"plan": counted.plan, "segments": counted.segments, "empty": counted.empty}
    return line
