"""Sweeps as line plots in SVG: both sides over the values of the first axis, and their spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from countci.judging.deltas import judged_pairs, values
from countci.model import Metric, Report
from countci.reporting.clean import one_line
from countci.reporting.drawing import document, dot, group, label
from countci.reporting.reporter import Look
from countci.reporting.sweeps import Point, Sweep, sweeps
from countci.reporting.words import heading, short
from countci.units import show_value

_TOP, _PANEL = 62, 270
_LEFT, _RIGHT = 96.0, 850.0
_HIGH, _LOW = 40.0, 216.0
_LABEL = 44.0
"""Pixels that the label of a value takes."""
_STRETCH = 20.0
"""From this ratio of the largest value to the smallest on, the small ones would lie in a heap."""


class Svg:
    """Renders the sweeps of a report as a picture."""

    suffix = "svg"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return a panel for each sweep and metric; a picture that says so where there is none."""
        return draw(report, sweeps(report))


def draw(report: Report, found: Sequence[Sweep]) -> str:
    """Return `found` as one SVG document."""
    panels = [panel for sweep in found for panel in _panels(sweep)]
    said = (
        f"{short(report.base)} (grey) and {short(report.head)} (blue); the bands hold the middle"
        " half of the runs"
        if panels
        else "no query of this report has a sweep with numbers"
    )
    marks: list[str] = []
    for number, panel in enumerate(panels):
        marks += group(_TOP + number * _PANEL, panel.marks())
    title = f"countci: {', '.join(dict.fromkeys(each.query for each in found)) or 'no sweep'}"
    return document(title, said, _TOP + max(1, len(panels)) * _PANEL, marks)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One side at one value."""

    x: float
    name: str
    number: float
    low: float
    """A quarter of the runs is below; the number itself where it was counted."""
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """One metric over the first axis, the other axes held."""

    title: str
    axis: str
    metric: Metric
    ticks: tuple[tuple[float, str], ...]
    base: tuple[_Side, ...]
    head: tuple[_Side, ...]

    def marks(self) -> Iterator[str]:
        """Yield all that is drawn."""
        yield label(20, 16, self.title, "name")
        top = self._top
        for share in (0.0, 0.5, 1.0):
            y = _LOW - (_LOW - _HIGH) * share
            yield f'<path class="axis" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>'
            shown = one_line(show_value(top * share, self.metric.unit))
            yield label(_LEFT - 8, y + 4, shown, "dim small", anchor="end")
        yield from self._ticks()
        for side, line, spread, spot in (
            (self.base, "other", "otherspread", "otherdot"),
            (self.head, "line", "spread", "dot"),
        ):
            yield from self._side(side, line, spread, spot)

    @property
    def _top(self) -> float:
        return max((each.high for each in (*self.base, *self.head)), default=0.0) or 1.0

    def _ticks(self) -> Iterator[str]:
        taken = -_LABEL
        for x, text in self.ticks:
            yield f'<path class="axis" d="M{x:.1f} {_LOW}v5"/>'
            if x - taken >= _LABEL:
                taken = x
                yield label(x, _LOW + 20, text, "dim small", anchor="middle")
        yield label(_RIGHT, _LOW + 36, self.axis, "dim small", anchor="end")

    def _side(self, side: Sequence[_Side], line: str, spread: str, spot: str) -> Iterator[str]:
        if not side:
            return
        if any(each.high > each.low for each in side):
            edge = [(each.x, each.high) for each in side]
            edge += [(each.x, each.low) for each in reversed(side)]
            yield f'<path class="{spread}" d="M{self._path(edge)}Z"/>'
        yield f'<path class="{line}" d="M{self._path([(each.x, each.number) for each in side])}"/>'
        for each in side:
            shown = f"{each.name}: {one_line(show_value(each.number, self.metric.unit))}"
            yield dot(each.x, self._y(each.number), 3, spot, shown)

    def _path(self, points: Sequence[tuple[float, float]]) -> str:
        return "L".join(f"{x:.1f} {self._y(number):.1f}" for x, number in points)

    def _y(self, number: float) -> float:
        # From 0 on: a picture must not make a small difference a large one.
        return _LOW - (_LOW - _HIGH) * max(0.0, number) / self._top


def _panels(sweep: Sweep) -> Iterator[_Panel]:
    """Yield a panel for each point of the axes after the first."""
    others = sorted(sweep.points, key=lambda each: _order(sweep, each))
    for held, points in groupby(others, key=lambda each: each.values[1:]):
        along = list(points)
        xs = _places([each.values[0] for each in along])
        placed = sorted(zip(xs, along, strict=True), key=lambda each: each[0])
        told = ", ".join(f"{axis}={at}" for axis, at in zip(sweep.axes[1:], held, strict=True))
        beside = f" ({told})" if told else ""
        yield _Panel(
            title=f"{sweep.query} by {sweep.axes[0]}{beside}: {heading(sweep.metric.name)}",
            axis=sweep.axes[0],
            metric=sweep.metric,
            ticks=tuple((x, each.values[0]) for x, each in placed),
            base=tuple(_sides(placed, "base")),
            head=tuple(_sides(placed, "head")),
        )


def _order(sweep: Sweep, point: Point) -> list[int]:
    """Return where a point's values of the later axes stand in the query file."""
    seen = [[each.values[at] for each in sweep.points] for at in range(1, len(sweep.axes))]
    return [column.index(value) for column, value in zip(seen, point.values[1:], strict=True)]


def _places(given: Sequence[str]) -> list[float]:
    """Return where values lie from left to right: by size where they are numbers, else in order."""
    try:
        numbers = [float(value) for value in given]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) <= 0 or max(numbers) > _STRETCH * min(numbers):
        numbers = [float(at) for at in range(len(given))]
    low, high = min(numbers), max(numbers)
    if low == high:
        return [(_LEFT + _RIGHT) / 2 for _ in numbers]
    inside = _RIGHT - _LEFT - _LABEL
    return [_LEFT + _LABEL / 2 + inside * (each - low) / (high - low) for each in numbers]


def _sides(placed: Sequence[tuple[float, Point]], name: str) -> Iterator[_Side]:
    for x, point in placed:
        change = point.change
        number = change.base if name == "base" else change.head
        if number is None:
            continue
        low, high = _middle_half(point, 0 if name == "base" else 1)
        yield _Side(
            x=x,
            name=f"{name}, {', '.join(point.values)}",
            number=number,
            low=number if low is None else low,
            high=number if high is None else high,
        )


def _middle_half(point: Point, side: int) -> tuple[float | None, float | None]:
    """Return between which numbers the middle half of a side's runs lies."""
    samples, metric = point.raw.samples, point.change.measured
    if samples is None or metric.exact:
        return None, None
    both = [values(pair, metric, samples.n) for pair in judged_pairs(samples)]
    found = sorted(each[side] for each in both if each is not None)
    if not found:
        return None, None
    quarter = len(found) // 4
    return found[quarter], found[-1 - quarter]
