"""The two commits, and what their messages accept."""

from __future__ import annotations

from countci.model.frozen import Frozen


class Revision(Frozen, frozen=True, kw_only=True):
    """A commit, and the name by which it was asked for. Made by `revisions.resolve`."""

    name: str
    sha: str
    """40 hex digits; for uncommitted work, of a commit that only countci's own store holds."""
    tree: str
    subject: str
    """The first line of the message."""
    when: int
    """The committer's time, seconds since 1970."""


class Acceptance(Frozen, frozen=True, kw_only=True):
    """What a commit's message allows. Made by `revisions.trailers`."""

    commit: str
    """40 hex digits."""
    query: str
    """Id, as it is written."""
    metric: str | None
    """None: the query may be gone."""
    share: float = 0.0
    """How far at most, as a fraction of base with its sign: 0.025 for `+2.5%`."""
    reason: str
    line: str
    """As it is written, in one line, without `Countci-Accept:`."""
