"""What a reader of the report should know, as data."""

from __future__ import annotations

from countci.errors import CountciError
from countci.model.frozen import Frozen


class Problem(Frozen, frozen=True, kw_only=True):
    """An error that was kept, so that the other queries could go on. Made from a CountciError."""

    problem: str
    where: str = ""
    detail: str = ""

    @classmethod
    def of(cls, error: CountciError) -> Problem:
        """Return `error` as data, so that the other queries can go on."""
        return cls(problem=error.problem, where=error.where, detail=error.detail)


class Reason(Frozen, frozen=True, kw_only=True):
    """One thing a reader of the report should know."""

    code: str
    """A stable word for programs: `identical`, `limit-loosened`, `disturbed`, ..."""
    text: str
    """A sentence for people, without a full stop."""
