"""Changes that no limit decides: proven to be none, new, or not measured."""

from __future__ import annotations

import countci.judging.counts as counts
from countci.model import Change, Counts, Limit, Measurement, Metric, Reason, Status


def proven(metric: Metric, limit: Limit, base: Measurement | None) -> Change:
    """Return the delta 0 of a query that can't have changed, with base's number for both sides."""
    found = None if base is None else base.counts.get(metric.name)
    # Equal builds of a command that does nothing prove nothing about the work.
    idle = found is not None and _is_idle(metric, found)
    return Change(
        metric=metric.name,
        base=counts.per_ask(found),
        head=counts.per_ask(found),
        delta=None if idle else 0.0,
        limit=limit,
        status=Status.ERROR if idle else Status.PASS,
        proven=not idle,
        start_up_base=counts.start_up(found),
        start_up_head=counts.start_up(found),
        reasons=(counts.no_work("base", found),) if found is not None and idle else (),
    )


def new(metric: Metric, limit: Limit, head: Measurement | None) -> Change:
    """Return head's count with nothing to hold it against; `error` when there is no count."""
    found = None if head is None else head.counts.get(metric.name)
    if found is None:
        return missing(metric, limit, f"{metric.name} was not counted on head")
    idle = _is_idle(metric, found)
    return Change(
        metric=metric.name,
        base=None,
        head=float(found.per_ask),
        delta=None,
        limit=limit,
        status=Status.ERROR if idle else Status.PASS,
        start_up_head=counts.start_up(found),
        reasons=(counts.no_work("head", found),) if idle else (),
    )


def _is_idle(metric: Metric, found: Counts) -> bool:
    return not metric.whole and found.per_ask <= 0


def unmeasurable(metric: Metric, limit: Limit, why: Reason) -> Change:
    """Return no number at all, and why this machine has none to give."""
    return Change(
        metric=metric.name,
        base=None,
        head=None,
        delta=None,
        limit=limit,
        status=Status.UNSETTLED,
        reasons=(why,),
    )


def missing(metric: Metric, limit: Limit, text: str) -> Change:
    """Return an error, for what was not measured is never green."""
    return Change(
        metric=metric.name,
        base=None,
        head=None,
        delta=None,
        limit=limit,
        status=Status.ERROR,
        reasons=(Reason(code="not-measured", text=text),),
    )
