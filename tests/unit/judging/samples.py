"""Samples with chosen values."""

from __future__ import annotations

from collections.abc import Sequence

from countci.model import Metric, Pair, Run, Samples

RATE = Metric(name="rate", unit="transactions/s", exact=False, better="higher")

BEFORE = (46_682, 45_195, 44_967, 44_086, 42_992, 43_066)
AFTER = (45_754, 45_762, 44_905, 45_181, 40_751, 37_280)
SHARES_BEFORE = (0.92, 0.90, 0.90, 0.89, 0.88, 0.87)
SHARES_AFTER = (0.91, 0.91, 0.90, 0.90, 0.85, 0.81)


def timed(seconds: float, *, share: float = 1.0, rate: float | None = None) -> Run:
    values = {} if rate is None else {"rate": rate}
    return Run(wall=seconds, user=seconds * share, system=0.0, wait=0.0, values=values)


def pairs_of(deltas: Sequence[float]) -> tuple[Pair, ...]:
    return tuple(
        Pair(base=timed(1.0), head=timed(1 + delta), head_first=bool(index % 2))
        for index, delta in enumerate(deltas)
    )


def samples_of(
    pairs: Sequence[float],
    confirming: Sequence[float] = (),
    control: Sequence[float] = (),
    *,
    n: int = 1,
) -> Samples:
    """Return samples of time whose pairs have these deltas."""
    return Samples(
        n=n, pairs=pairs_of(pairs), confirming=pairs_of(confirming), control=pairs_of(control)
    )


def transactions() -> Samples:
    """Return a published table: six alternating pairs, transactions per second."""
    rows = zip(BEFORE, AFTER, SHARES_BEFORE, SHARES_AFTER, strict=True)
    return Samples(
        n=1,
        pairs=tuple(
            Pair(
                base=timed(10.0, share=base_share, rate=base),
                head=timed(10.0, share=head_share, rate=head),
                head_first=bool(index % 2),
            )
            for index, (base, head, base_share, head_share) in enumerate(rows)
        ),
    )
