"""What a reader should know about two counts beside their delta."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from countci.model import Counts, Measurement, Reason
from countci.units import show_share

_STRAIGHT = 0.001
"""Of the slope. A bend below it is digits of n being printed and the like."""
_SHOWN = 6
"""Programs."""
_LONGEST = 80
"""Characters of a command."""


def per_ask(counts: Counts | None) -> float | None:
    """Return instructions (or whatever was counted) per ask."""
    return None if counts is None else float(counts.per_ask)


def start_up(counts: Counts | None) -> float | None:
    """Return what is around the asks; None when a whole process was counted."""
    if counts is None or counts.start_up is None:
        return None
    return float(counts.start_up)


def delta(base: Counts | None, head: Counts | None) -> float | None:
    """Return head / base - 1, exactly 0 when they are equal; None where base is 0 or missing."""
    if base is None or head is None or base.per_ask <= 0:
        return None
    return float(head.per_ask / base.per_ask - 1)


def no_work(name: str, side: Counts) -> Reason:
    """Return that an ask of the side `name` costs nothing, which no work does."""
    return Reason(
        code="no-work",
        text=f"an ask costs nothing on {name} ({listed(side)}): the command does no work, or "
        "does not do it {n} times",
    )


def output_changed(base: Measurement, head: Measurement, before: Counts, after: Counts) -> bool:
    """Whether the program prints something else, as far as both were asked as often."""
    asked_alike = before.points[0].n == after.points[0].n
    return asked_alike and base.output.digest != head.output.digest


def of_output(
    base: Measurement, head: Measurement, before: Counts, after: Counts
) -> Iterator[Reason]:
    """Yield that the program prints something else."""
    if output_changed(base, head, before, after):
        yield Reason(
            code="output-changed",
            text=f"the output changed ({base.output.size:,} bytes on base, "
            f"{head.output.size:,} on head): the work may not be the same",
        )


def of_points(base: Counts, head: Counts) -> Iterator[Reason]:
    """Yield what was counted, where it isn't a slope, or not the same one on both sides."""
    if len(base.points) == 1:
        yield Reason(
            code="whole-process",
            text="a whole process was counted: start-up is in it; {n} in the command would take it "
            "out",
        )
    asks = [[point.n for point in side.points] for side in (base, head)]
    if asks[0] != asks[1]:
        yield Reason(
            code="other-points",
            text=f"base was counted at {_numbers(asks[0])} asks, head at {_numbers(asks[1])}",
        )


def of_bend(base: Counts, head: Counts) -> Iterator[Reason]:
    """Yield which side's counts don't lie on a line; they are judged all the same."""
    alike = base.points == head.points
    for where, side in [("", head)] if alike else [(" on base", base), (" on head", head)]:
        if side.bend is not None and abs(side.bend) > _STRAIGHT:
            yield Reason(
                code="not-linear",
                text=f"not linear{where}: the first asks cost {show_share(side.bend)} beside "
                f"the last ones ({listed(side)})",
            )


def of_processes(base: Measurement, head: Measurement) -> Iterator[Reason]:
    """Yield which programs were counted together, and by what, where it isn't the usual."""
    for sides, each in _sides(base, head):
        if each.processes:
            text = f"{len(each.processes)} processes were counted together{sides}: "
            yield Reason(code="processes", text=text + _programs(each.processes))
    if base.counter != head.counter:
        text = f"base was counted by {base.counter}, head by {head.counter}: start-up differs"
        yield Reason(code="other-counter", text=text)


def _sides(base: Measurement, head: Measurement) -> list[tuple[str, Measurement]]:
    if base.processes == head.processes:
        return [("", head)]
    return [(" on base", base), (" on head", head)]


def _programs(processes: tuple[str, ...]) -> str:
    """Return each command once, with how often it ran, in the order of the first starts."""
    times = Counter(command.partition("\n")[0][:_LONGEST] for command in processes)
    shown = [f"{name} ({often} times)" if often > 1 else name for name, often in times.items()]
    more = len(shown) - _SHOWN
    return "; ".join(shown[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")


def listed(counts: Counts) -> str:
    """Return every point as people read it: `n = 10: 4,250, n = 20: 8,450`."""
    return ", ".join(f"n = {point.n:,}: {point.total:,}" for point in counts.points)


def _numbers(asks: list[int]) -> str:
    return ", ".join(f"{n:,}" for n in asks)
