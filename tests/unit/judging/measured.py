"""Measurements with chosen counts."""

from __future__ import annotations

from msgspec.structs import replace

from countci.model import (
    Again,
    CommandWork,
    Comparison,
    Counts,
    Identity,
    Kind,
    Limit,
    Measurement,
    Output,
    Point,
    Problem,
    Query,
    Samples,
)

PRINTED = Output(digest="aa", size=12)
NOTHING = Output(digest="e3", size=0)


def counted(*points: tuple[int, int], output: Output = PRINTED, machine: str = "f1") -> Measurement:
    """Return a measurement with these (n, total) points."""
    counts = Counts(points=tuple(Point(n=n, total=total) for n, total in points))
    return Measurement(
        query="bank/field",
        build="b",
        fingerprint=machine,
        counts={"instructions": counts},
        output=output,
    )


def straight(
    per_ask: int, start_up: int = 1000, *, output: Output = PRINTED, machine: str = "f1"
) -> Measurement:
    """Return a measurement whose three points lie on a line."""
    points = [(n, start_up + n * per_ask) for n in (2, 4, 8)]
    return counted(*points, output=output, machine=machine)


def again(*points: tuple[int, int], seed: int = 0) -> Again:
    return Again(points=tuple(Point(n=n, total=total) for n, total in points), seed=seed)


def with_again(measured: Measurement, *more: Again, causes: tuple[str, ...] = ()) -> Measurement:
    """Return `measured`, counted again."""
    counts = measured.counts["instructions"]
    counts = replace(counts, again=(*counts.again, *more))
    return replace(measured, counts={"instructions": counts}, causes=causes)


def query(*metrics: str, limits: dict[str, Limit] | None = None) -> Query:
    return Query(
        suite="bank",
        name="field",
        file="queries/bank.toml",
        work=CommandWork(command="bank ask {n}"),
        metrics=metrics or ("instructions", "time"),
        limits=limits or {},
    )


def compared(
    base: Measurement | None = None,
    head: Measurement | None = None,
    *,
    samples: Samples | None = None,
    kind: Kind = Kind.BOTH,
    identity: Identity | None = None,
    problem: Problem | None = None,
    metrics: tuple[str, ...] = ("instructions", "time"),
) -> Comparison:
    return Comparison(
        query=query(*metrics),
        kind=kind,
        base=base,
        head=head,
        samples=samples,
        identity=identity,
        problem=problem,
    )
