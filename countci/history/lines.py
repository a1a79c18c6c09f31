"""How the commits of a history hang together: which are looked at, and which one came before."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from countci.model import Commit


@dataclass(frozen=True, slots=True)
class Before:
    """What came before a commit, along first parents."""

    sha: str
    """The nearest one that was measured."""
    between: tuple[Commit, ...]
    """Those after it that were not, oldest first, without the commit itself."""


def every(commits: Sequence[Commit], number: int) -> tuple[Commit, ...]:
    """Return each so many-th commit, back from the last one; the first stays too."""
    kept = commits[::-1][::number][::-1]
    return tuple(kept) if kept[0] == commits[0] else (commits[0], *kept)


class Line:
    """The commits of a range, by what they came from."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        """Know `commits`, in any order."""
        self._by_sha = {each.sha: each for each in commits}

    def before(self, commit: Commit, measured: Container[str]) -> Before | None:
        """Return what came before `commit`; None when nothing of the range did.

        Args:
            commit: one of the range.
            measured: shas of the commits that have a number.
        """
        between: list[Commit] = []
        parent = self._parent(commit)
        while parent is not None and parent.sha not in measured:
            between.append(parent)
            parent = self._parent(parent)
        return Before(parent.sha, tuple(reversed(between))) if parent else None

    def _parent(self, commit: Commit) -> Commit | None:
        return self._by_sha.get(commit.parents[0]) if commit.parents else None
