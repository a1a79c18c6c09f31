"""What a reader should know about a sampled metric beside its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from countci.judging.deltas import Deltas, judged_pairs
from countci.judging.rule import Decision
from countci.judging.statistics import interval, median
from countci.model import TIME, Limit, Metric, Reason, Samples
from countci.units import show_limit, show_share

_LISTED = 4
_SHOWN = 3


def of_decision(decision: Decision, deltas: Deltas, limit: Limit) -> Iterator[Reason]:
    """Yield why the verdict isn't what the first pairs said, if it isn't."""
    share = show_limit(limit.share)
    if decision.code == "undecided":
        text = (
            f"the median of {len(deltas.pairs)} pairs is beyond {share}, but no change at all lies "
            "inside its interval"
        )
    elif decision.code == "unconfirmed":
        text = (
            f"{_block(deltas, deltas.pairs, '')} went beyond the limit of {share}, "
            f"{_block(deltas, deltas.confirming, 'fresh ')} did not confirm it"
        )
    elif decision.code == "noisy":
        text = f"{_itself(deltas)}: this machine is too restless for a limit of {share}"
    elif decision.code == "beyond-noise":
        text = f"{_itself(deltas)}: the change is beyond that and the limit of {share} together"
    elif decision.wanted is not None:
        text = f"{decision.wanted.more} more pairs are needed to decide"
    else:
        return
    yield Reason(code=decision.code, text=text)


def _itself(deltas: Deltas) -> str:
    found = interval(deltas.shown(deltas.control))
    return (
        f"{_block(deltas, deltas.control, '')} of base against itself differ, "
        f"{show_share(found.low)} to {show_share(found.high)}"
    )


def of_medians(
    delta: float, ratio: float, around: tuple[float, float], limit: Limit
) -> Iterator[Reason]:
    """Yield the ratio of the two medians where it tells another story than the pairs' deltas.

    Args:
        delta: the median of the pairs' deltas.
        ratio: head's median / base's, less 1.
        around: the interval of `delta`, which is shown beside both medians.
        limit: half of it is worth no word.
    """
    low, high = around
    apart = delta * ratio < 0 or not low <= ratio <= high
    if apart and abs(delta - ratio) > limit.share / 2:
        yield Reason(
            code="medians",
            text=f"the median of the pairs' deltas is {show_share(delta)}; the ratio of the two "
            f"medians is {show_share(ratio)}",
        )


def of_disturbed(base: Sequence[bool], head: Sequence[bool]) -> Iterator[Reason]:
    """Yield which runs got less of a core than their side's others."""
    sides = [
        f"{_numbers(marks)} of {name}"
        for name, marks in (("base", base), ("head", head))
        if any(marks)
    ]
    if sides:
        one = sum(base) + sum(head) == 1
        yield Reason(
            code="disturbed",
            text=f"{'run' if one else 'runs'} {' and '.join(sides)} got less of a core than the "
            f"side's others; {'it stays' if one else 'they stay'} in the data",
        )


def of_invalid(samples: Samples) -> Iterator[Reason]:
    """Yield that pairs were taken again, with the reasons why their runs don't count."""
    if not samples.invalid:
        return
    count, every = len(samples.invalid), len(samples.invalid) + len(judged_pairs(samples))
    runs = [run for pair in samples.invalid for run in (pair.base, pair.head)]
    # One of each sort, whatever its numbers.
    sorts = {re.sub(r"[0-9.,]+\s?\w*", "", text): text for run in runs for text in run.invalid}
    yield Reason(
        code="invalid",
        text=f"{count} of {every} pairs {'is' if count == 1 else 'are'} invalid, kept and not "
        f"judged: {'; '.join(list(sorts.values())[:_SHOWN])}",
    )


def of_clock(samples: Samples, metric: Metric) -> Iterator[Reason]:
    """Yield that wall time was judged, where the run-queue wait could not be told."""
    pairs = judged_pairs(samples)
    on_wall = sum(pair.on_wall_clock for pair in pairs)
    if metric.name == TIME.name and on_wall:
        yield Reason(
            code="wall",
            text=f"wall time, run-queue wait included, in {on_wall} of {len(pairs)} pairs: it "
            "can't be told for programs with threads or children",
        )


def unmeasured(metric: Metric) -> Reason:
    """Return that there is no number to judge."""
    return Reason(
        code="not-measured",
        text=f"{metric.name}: no pairs, or a run whose value is missing or not above 0",
    )


def _block(deltas: Deltas, block: Sequence[float], which: str) -> str:
    return f"{len(block)} {which}pairs (median {show_share(median(deltas.shown(block)))})"


def _numbers(marks: Sequence[bool]) -> str:
    """Return which of a side's runs are marked; how many, when a list would say no more."""
    if sum(marks) > _LISTED:
        return f"{sum(marks)} of {len(marks)}"
    return ", ".join(str(number) for number, mark in enumerate(marks, start=1) if mark)
