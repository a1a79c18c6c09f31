"""A baseline with one query, as most tests need it."""

from __future__ import annotations

from msgspec.structs import replace

from countci.model import (
    Baseline,
    Comparison,
    Fingerprint,
    Identity,
    Kind,
    Measurement,
    Problem,
    Recorded,
    RecordedQuery,
)
from tests.unit.judging.measured import compared

HERE = Fingerprint(
    counter="1",
    valgrind="3.19.0",
    libc="glibc 2.36",
    machine="x86_64",
    cpu="x86-64-v3",
    stage="/cache/stage",
)


def baseline(measurement: Measurement, digest: str = "d1") -> Baseline:
    """Return a baseline in which bank/field has these counts."""
    metrics = {name: Recorded.of(counts) for name, counts in measurement.counts.items()}
    recorded = RecordedQuery(
        digest=digest,
        output=measurement.output,
        metrics=metrics,
        allocator=measurement.allocator,
    )
    return Baseline(
        sha="0b5fa1d0" * 5,
        subject="Rebuild the index",
        fingerprint=HERE.platform,
        queries={"bank/field": recorded},
    )


def now(
    head: Measurement | None,
    *,
    base: Measurement | None = None,
    digest: str = "d1",
    kind: Kind = Kind.BOTH,
    identity: Identity | None = None,
    problem: Problem | None = None,
) -> Comparison:
    """Return a comparison of bank/field whose query has this digest."""
    found = compared(base, head, kind=kind, identity=identity, problem=problem)
    return replace(found, query=replace(found.query, digest=digest))
