"""The queries of a sweep as one table: speed-up per row, the geometric mean last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import replace as changed

from msgspec.structs import replace

import countci.reporting.rows as texts
from countci.judging.statistics import geometric_mean
from countci.model import Change, Comparison, Metric, Report, Verdict
from countci.reporting.clean import one_line
from countci.reporting.rows import MEAN, Row
from countci.units import show_share, show_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One value of a sweep, measured."""

    values: tuple[str, ...]
    """One an axis."""
    change: Change
    raw: Comparison
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One metric over the values of a sweep."""

    query: str
    """Id without the values."""
    axes: tuple[str, ...]
    metric: Metric
    points: tuple[Point, ...]
    """Never empty, in the order of the query file."""

    @property
    def formula(self) -> str:
        """How a speed-up is reckoned: base is a, head is b."""
        return "b/a − 1" if self.metric.better == "higher" else "(a − b)/a"

    @property
    def title(self) -> str:
        """What the first column holds: `clients`, `clients, size`."""
        return ", ".join(self.axes)

    def rows(self) -> tuple[Row, ...]:
        """Return a row for each point, called by its values, and the mean of them."""
        return (*(each.row for each in self.points), *_mean(self))


def sweeps(report: Report) -> tuple[Sweep, ...]:
    """Return each metric of each sweep that was measured, in the order of the query files."""
    found: dict[tuple[str, str], list[Point]] = {}
    swept = _swept(report)
    for verdict in (each for each in report.verdicts if each.query in swept):
        for change in verdict.changes:
            raw = swept[verdict.query]
            point = _point(report, verdict, change, raw)
            found.setdefault((raw.query.sweep_id, change.metric), []).append(point)
    return tuple(
        Sweep(
            query=one_line(query),
            axes=tuple(map(one_line, points[0].raw.query.sweep)),
            metric=points[0].change.measured,
            points=tuple(points),
        )
        for (query, _), points in found.items()
    )


def without(report: Report) -> Report:
    """Return `report` without the queries of sweeps."""
    swept = _swept(report)
    return replace(
        report,
        verdicts=tuple(each for each in report.verdicts if each.query not in swept),
        comparisons=tuple(each for each in report.comparisons if each.query.id not in swept),
    )


def speed_up(metric: Metric, delta: float) -> float:
    """Return by what share head is better, for a `delta` of head / base - 1.

    Source:
        Published tables: b/a - 1 for rates, (a - b)/a for what takes time; the same as
        `statistics.speed_up` of two numbers.
    """
    return delta if metric.better == "higher" else -delta


def _swept(report: Report) -> dict[str, Comparison]:
    return {each.query.id: each for each in report.comparisons if each.query.sweep}


def _point(report: Report, verdict: Verdict, change: Change, raw: Comparison) -> Point:
    alone = replace(verdict, changes=(change,))
    (row,) = texts.rows(replace(report, verdicts=(alone,), comparisons=(raw,)))
    values = tuple(map(one_line, raw.query.sweep.values()))
    return Point(
        values=values,
        change=change,
        raw=raw,
        row=changed(row, query=", ".join(values), speed_up=_shown(change.measured, change.delta)),
    )


def _mean(sweep: Sweep) -> Iterable[Row]:
    """Yield the row of geometric means: of each column, over the points that have a number."""
    changes = [each.change for each in sweep.points]
    deltas = [each.delta for each in changes if each.delta is not None and each.delta > -1]
    if len(deltas) < len(changes):
        return  # a mean of some of the rows would be taken for one of all
    mean = round(geometric_mean([1 + delta for delta in deltas]) - 1, 12)
    yield Row(
        query=MEAN,
        metric=one_line(sweep.metric.name),
        base=_column(sweep.metric, [each.base for each in changes]),
        head=_column(sweep.metric, [each.head for each in changes]),
        change=_share(sweep.metric, mean),
        speed_up=_shown(sweep.metric, mean),
    )


def _column(metric: Metric, numbers: Iterable[float | None]) -> str:
    known = [number for number in numbers if number is not None and number > 0]
    return one_line(show_value(geometric_mean(known), metric.unit)) if known else ""


def _shown(metric: Metric, delta: float | None) -> str:
    return "" if delta is None else _share(metric, speed_up(metric, delta))


def _share(metric: Metric, share: float) -> str:
    return show_share(share, digits=2 if metric.exact else 1)
