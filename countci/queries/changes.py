"""What head's query files changed: said in the report, since a gate that can be moved is none."""

from __future__ import annotations

from msgspec.structs import replace

from countci.model import Limit, Loosened, Query, Reason, Suites
from countci.units import Seconds


def gone(base: Suites, head: Suites) -> tuple[Query, ...]:
    """Return the queries that base's files have and head's don't."""
    there = {query.id for query in head.queries}
    return tuple(query for query in base.queries if query.id not in there)


def loosened(base: Suites, head: Suites) -> tuple[Loosened, ...]:
    """Return the limits that head's files make less strict than base's."""
    return tuple(
        found
        for old, new in _both(base, head)
        for metric in old.metrics
        if metric in new.metrics and (found := _loosened(old, new, metric))
    )


def changed(base: Suites, head: Suites) -> tuple[Reason, ...]:
    """Return what head's files no longer ask, or ask differently, than base's."""
    both = _both(base, head)
    dropped = [
        Reason(code="metric-dropped", text=f"{new.id}: {new.file} no longer measures {metric}")
        for old, new in both
        for metric in old.metrics
        if metric not in new.metrics
    ]
    return (*dropped, *_changed(both))


def _both(base: Suites, head: Suites) -> list[tuple[Query, Query]]:
    before = {query.id: query for query in base.queries}
    return [(before[query.id], query) for query in head.queries if query.id in before]


def _loosened(base: Query, head: Query, metric: str) -> Loosened | None:
    old, new = (query.limit(query.metric(metric)) for query in (base, head))
    if not _looser(old, new):
        return None
    measured = head.metric(metric)
    values = f"from {old.text(measured)} to {new.text(measured)}"
    text = f"{head.id}: the limit of {metric} was loosened {values}"
    return Loosened(query=head.id, metric=metric, base=old, text=text)


def _looser(old: Limit, new: Limit) -> bool:
    if "none" in {old.form, new.form}:
        return old.form != "none"
    if old.form != new.form:
        return True  # which of two rules lets more through depends on the numbers
    return new.share > old.share or new.amount > old.amount


def _changed(both: list[tuple[Query, Query]]) -> list[Reason]:
    """Return the files whose queries now do something else."""
    files = dict.fromkeys(new.file for old, new in both if _asked(old) != _asked(new))
    reasons = [
        Reason(code="query-changed", text=f"{file} asks something else than on base")
        for file in files
    ]
    if not files and any(old.digest != new.digest for old, new in both):
        text = "files beside the query files changed between base and head"
        reasons.append(Reason(code="query-data-changed", text=text))
    return reasons


def _asked(query: Query) -> Query:
    """Return the query without what isn't part of the work."""
    return replace(query, metrics=(), limits={}, timeout=Seconds(0), digest="", file="")
