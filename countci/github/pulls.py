"""Which pull requests a run was about, among those that GitHub has. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from countci.github.occasion import Occasion


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """An open pull request."""

    number: int
    sha: str
    branch: str
    source: int | None
    """Number of the repository it comes from; None when that was deleted."""
    base: str
    """Branch that it shall be merged into."""


def of_run(pulls: Iterable[Pull], run: Occasion) -> tuple[Pull, ...]:
    """Return those that are still at the commit which `run` measured."""
    return tuple(
        pull
        for pull in pulls
        if (pull.sha, pull.branch, pull.source) == (run.sha, run.branch, run.source)
        and run.number in (None, pull.number)
    )


def named(pulls: Sequence[Pull], notices: Iterable[str]) -> tuple[Pull, ...]:
    """Return the only one; of several, one branch into several others, those that are named.

    Args:
        pulls: all of the same commit, so that a report of one can do no harm at another.
        notices: what the report says of how its base and head were chosen.
    """
    if len(pulls) <= 1:
        return tuple(pulls)
    said = tuple(notices)
    return tuple(
        pull
        for pull in pulls
        if any(text.startswith(f"pull request {pull.number} ") for text in said)
    )
