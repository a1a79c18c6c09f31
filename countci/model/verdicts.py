"""Both sides of a query, and what is held of them."""

from __future__ import annotations

import enum

from countci.model.builds import Identity
from countci.model.counts import Measurement
from countci.model.frozen import Frozen
from countci.model.metrics import METRICS, Limit, Metric
from countci.model.placements import NOT_MEASURABLE
from countci.model.queries import Query
from countci.model.reasons import Problem, Reason
from countci.model.timing import Samples


class Status(enum.Enum):
    """From best to worst; a report's status is its worst."""

    PASS = "pass"  # noqa: S105 - not a password
    UNSETTLED = "unsettled"
    FAIL = "fail"
    ERROR = "error"

    @property
    def exit_code(self) -> int:
        """What a run with this worst status ends with."""
        return {"pass": 0, "unsettled": 4, "fail": 1, "error": 3}[self.value]


class Kind(enum.Enum):
    """What became of a query between the two revisions."""

    BOTH = "both"
    NEW = "new"
    GONE = "gone"
    UNMEASURABLE = "not measurable"
    """This machine can't do what it asks for; nothing of it is judged."""


class Comparison(Frozen, frozen=True, kw_only=True):
    """Both sides of one query: all that was measured, nothing judged. Made by `pipeline`."""

    query: Query
    kind: Kind = Kind.BOTH
    base: Measurement | None = None
    head: Measurement | None = None
    identity: Identity | None = None
    """Set when the query can't have changed; then head has nothing measured."""
    samples: Samples | None = None
    problem: Problem | None = None
    """What kept the query from being measured."""
    unmeasurable: Reason | None = None
    """Why this machine can't measure what is sampled of it."""
    notes: tuple[Reason, ...] = ()
    """What was seen on the way."""


class Change(Frozen, frozen=True, kw_only=True):
    """One metric of one query, judged. Made by `judging`."""

    metric: str
    base: float | None
    head: float | None
    delta: float | None
    """head / base - 1; None where a side has no number or base is 0."""
    limit: Limit
    status: Status
    low: float | None = None
    high: float | None = None
    """Ends of the interval of `delta`, for sampled metrics."""
    noise: float | None = None
    """What the same build shows against itself, as a fraction."""
    pairs: int = 0
    """Pairs that were judged."""
    core_share: float | None = None
    """Median over all runs."""
    disturbed: int = 0
    """Runs whose share of a core fell; they stay in the data."""
    proven: bool = False
    """The delta is 0 by proof (equal builds for this query), and nothing was measured."""
    start_up_base: float | None = None
    start_up_head: float | None = None
    """Exact metrics: what is around the asks; printed, not judged."""
    own: Metric | None = None
    """What was measured, where it is a metric that only its query has."""
    reasons: tuple[Reason, ...] = ()

    @property
    def unmeasurable(self) -> bool:
        """Whether this machine can't measure it, so that it isn't judged."""
        return any(reason.code == NOT_MEASURABLE for reason in self.reasons)

    @property
    def measured(self) -> Metric:
        """What was measured."""
        named = Metric(name=self.metric, unit="", exact=True)
        return self.own or METRICS.get(self.metric, named)


class Verdict(Frozen, frozen=True, kw_only=True):
    """One query, judged. Made by `judging`."""

    query: str
    kind: Kind
    status: Status
    """The worst of its changes; `error` when it has a problem. `unsettled` where this machine can't
    measure it, which a report's status leaves out."""
    changes: tuple[Change, ...]
    problem: Problem | None = None
    reasons: tuple[Reason, ...] = ()
