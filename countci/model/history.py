"""Exact metrics along a line of commits, and where they move."""

from __future__ import annotations

from countci.model.counts import Fingerprint
from countci.model.explanations import Explanation
from countci.model.frozen import Frozen
from countci.model.reasons import Problem, Reason
from countci.model.revisions import Revision
from countci.units import Seconds


class Commit(Frozen, frozen=True, kw_only=True):
    """A commit among others. Made by `revisions.ranges`."""

    revision: Revision
    parents: tuple[str, ...]
    """40 hex digits each; the first is where it was committed or merged to."""
    authored: int
    """The author's time, seconds since 1970."""

    @property
    def sha(self) -> str:
        """40 hex digits."""
        return self.revision.sha


class Reading(Frozen, frozen=True, kw_only=True):
    """One query on one commit. Made by `history`."""

    per_ask: float | None = None
    """None: a gap."""
    change: float | None = None
    """From the commit before that has a number, as a fraction of that."""
    since: float | None = None
    """From the first commit that has a number, as a fraction of that."""
    problem: Problem | None = None
    """Why it could not be counted here."""


class Entry(Frozen, frozen=True, kw_only=True):
    """One commit of a history. Made by `history`."""

    commit: Commit
    build: str
    """Key of the build."""
    readings: dict[str, Reading] = {}
    """By query; empty when it could not be built."""
    problem: Problem | None = None
    """Why it could not be built."""


class Step(Frozen, frozen=True, kw_only=True):
    """A move of one query beyond limit and noise. Made by `history`."""

    query: str
    before: Commit
    """The last commit that was measured before it."""
    commit: Commit
    """The first one that shows it."""
    suspects: tuple[Commit, ...]
    """The commits one of which made it, oldest first; only `commit` when none is left out."""
    base: float
    """Per ask."""
    head: float
    delta: float
    """head / base - 1."""
    noise: float | None = None
    """What the same builds show against themselves, as a fraction."""

    @property
    def sure(self) -> bool:
        """Whether a single commit can have made it."""
        return len(self.suspects) == 1


class History(Frozen, frozen=True, kw_only=True):
    """What `countci log` found out. Made by `history.log`."""

    schema: int = 1
    countci: str
    """Version of countci."""
    range: str
    """As it was asked for."""
    metric: str
    limit: float
    """A move up to this is no step; a fraction."""
    queries: tuple[str, ...]
    """In the order of the query files."""
    entries: tuple[Entry, ...]
    """Oldest first. The first is what the range began from, if there is a commit before it."""
    left_out: int = 0
    """Commits of the range that were not looked at."""
    steps: tuple[Step, ...] = ()
    """Oldest first."""
    fingerprint: Fingerprint
    suites: str
    """Digest of the query files."""
    notices: tuple[Reason, ...] = ()
    seconds: Seconds
    command: str = ""
    """What to type to repeat it."""
    options: str = ""
    """What a command that goes on from it has to be given too, as it is typed."""


class Bisection(Frozen, frozen=True, kw_only=True):
    """What `countci bisect` found out. Made by `history.bisect`."""

    schema: int = 1
    countci: str
    """Version of countci."""
    query: str
    metric: str
    limit: float
    """As in `History`."""
    good: Commit
    bad: Commit
    base: float
    """Per ask, on `good`."""
    head: float
    """Per ask, on `bad`."""
    delta: float
    commits: int
    """How many lie after `good`, `bad` included."""
    entries: tuple[Entry, ...]
    """The commits that were looked at, oldest first, both ends included."""
    steps: tuple[Step, ...]
    """Oldest first."""
    rest: float
    """What the steps leave of the difference, as a fraction of `base`."""
    explanations: tuple[Explanation, ...] = ()
    """Of the steps that one commit made."""
    fingerprint: Fingerprint
    suites: str
    """Digest of the query files."""
    seconds: Seconds
    command: str = ""
    """What to type to repeat it."""
    options: str = ""
    """What a command that goes on from it has to be given too, as it is typed."""
