"""Everything that a run found out."""

from __future__ import annotations

from countci.model.counts import Fingerprint, Measurement
from countci.model.explanations import Explanation
from countci.model.frozen import Frozen
from countci.model.reasons import Problem, Reason
from countci.model.revisions import Revision
from countci.model.verdicts import Comparison, Status, Verdict
from countci.units import Seconds


class Side(Frozen, frozen=True, kw_only=True):
    """What the report says of one of the two builds."""

    revision: Revision
    build: str
    """Key of the build; empty when it failed."""
    build_seconds: Seconds
    build_cached: bool
    variant: str = ""
    """Name of the variant; empty where there is none."""


class Shard(Frozen, frozen=True, kw_only=True):
    """Which part of a comparison a report is. Made by `sharding.cut`."""

    number: int
    """From 1."""
    count: int
    queries: tuple[str, ...]
    """Ids of what this shard measures, a suite of tests as one, and of what is gone."""
    every: tuple[str, ...]
    """Ids of what all shards measure together, in the order of an unsharded report."""
    asked: str
    """Metrics and limits of the command line, in words: the same for all shards."""


class Merged(Frozen, frozen=True, kw_only=True):
    """What a report was put together from. Made by `merging.merge`."""

    shards: int
    seconds: Seconds
    """Of all of them together; the report's own are those of the longest."""


class Report(Frozen, frozen=True, kw_only=True):
    """Everything a run found out; each reporter renders this, and it is written to result.json."""

    schema: int = 1
    countci: str
    """Version of countci."""
    base: Side
    head: Side
    status: Status
    verdicts: tuple[Verdict, ...]
    """In the order of the query files."""
    comparisons: tuple[Comparison, ...]
    """The raw data, in the same order, so that a reader can judge again."""
    fingerprint: Fingerprint | None
    suites: str
    """Digest of the query files that both sides ran."""
    explanations: tuple[Explanation, ...] = ()
    """Of the queries that failed, worst first."""
    notices: tuple[Reason, ...] = ()
    """About the run as a whole: loosened limits, changed query files, dependencies that differ."""
    avx512: bool = False
    """The machine has AVX-512, which valgrind doesn't show: programs were counted without it."""
    unsettled_passes: bool = False
    """The configuration says `unsettled = "pass"`: exit code 0 instead of 4."""
    seconds: Seconds = Seconds(0.0)
    """How long the whole run took."""
    command: str = ""
    """What to type to repeat it."""
    shard: Shard | None = None
    """None: the whole comparison."""
    merged: Merged | None = None
    """None: of one run."""
    problem: Problem | None = None
    """Why nothing was measured at all, a build that failed for one; then there are no verdicts."""


class Tally(Frozen, frozen=True, kw_only=True):
    """What counting one revision found out. Made by `pipeline.count`."""

    schema: int = 1
    countci: str
    """Version of countci."""
    side: Side
    fingerprint: Fingerprint
    suites: str
    """Digest of the query files."""
    measurements: tuple[Measurement, ...]
    """In the order of the query files."""
    problems: dict[str, Problem]
    """What kept a query from being counted, by its id."""
