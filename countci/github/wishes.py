"""Which two revisions an event means, before git is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class TestMerge:
    """A pull request: its test merge against the branch that it was made on."""

    __test__ = False  # no test class, pytest

    number: int
    sha: str
    """Of the test merge, as the run knows it."""
    head: str
    """The pull request's own last commit, as the event knows it."""
    branch: str
    """Which it shall be merged into."""
    commits: int
    """How many it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Two:
    """Two commits that the event names."""

    base: str
    head: str
    forced: bool = False
    """What was pushed doesn't follow on what was there before."""
    commits: int | None = None
    """How many lie between; None where the event doesn't say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SinceBranch:
    """A commit against where it left a branch."""

    head: str
    branch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What the inputs of the action name."""

    base: str
    head: str


Wish: TypeAlias = TestMerge | Two | SinceBranch | Named
