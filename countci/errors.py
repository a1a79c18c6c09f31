"""What can go wrong, and the exit code of each.

Every error says what, where, and what to do next; `cli.main` is the only place that
catches them all. The codes:

    1   a limit is exceeded (no error: the verdict of a report)
    2   usage or configuration
    3   a revision could not be built, or a query not measured
    4   unsettled: the data can't decide (no error: the verdict of a report)
    70  a bug in countci
    130 interrupted
"""

from __future__ import annotations

import textwrap
from typing import ClassVar


class CountciError(Exception):
    """A problem, where it is, and what to do next."""

    exit_code: ClassVar[int] = 70

    def __init__(self, problem: str, *, where: str = "", detail: str = "") -> None:
        """Keep the parts apart, so that each reporter lays them out its own way.

        Args:
            problem: one sentence without a full stop.
            where: `file:line`, a command, a query, a revision; may be empty.
            detail: what to do next, or the end of a program's own output.
        """
        super().__init__(problem)
        self.problem = problem
        self.where = where
        self.detail = detail

    def __str__(self) -> str:
        """Return `where: problem`, then the detail, indented."""
        first = f"{self.where}: {self.problem}" if self.where else self.problem
        return "\n".join([first, *textwrap.indent(self.detail, "  ").splitlines()])


class UsageError(CountciError):
    """A flag, a revision's name, the configuration or a query file says something impossible."""

    exit_code = 2


class MeasureError(CountciError):
    """A revision could not be built, or a query not measured: never green."""

    exit_code = 3


class Interrupted(KeyboardInterrupt):
    """The user, or the machine, asked countci to stop.

    No `CountciError`: what goes on after one failed query must not go on after this.
    """

    exit_code = 130
