"""The report of a comparison of which nothing could be measured: a build failed, for one.

It is what later steps of a job go by: without it, the comment on a pull request would stay what
an older run made of it.
"""

from __future__ import annotations

import countci
from countci.errors import MeasureError
from countci.model import Problem, Report, Revision, Side, Status, Variant
from countci.planning import Plan
from countci.units import Seconds


def report(plan: Plan, error: MeasureError) -> Report:
    """Return a report without a verdict, whose problem is `error`.

    Args:
        plan: what was to be compared.
        error: why nothing was.
    """
    return Report(
        countci=countci.__version__,
        base=_side(plan.base, plan.variants.base),
        head=_side(plan.head, plan.variants.head),
        status=Status.ERROR,
        verdicts=(),
        comparisons=(),
        fingerprint=None,
        suites=plan.suites.digest,
        notices=plan.notices,
        unsettled_passes=plan.config.unsettled == "pass",
        shard=plan.shard,
        problem=Problem.of(error),
    )


def _side(revision: Revision, variant: Variant | None) -> Side:
    return Side(
        revision=revision,
        build="",
        build_seconds=Seconds(0.0),
        build_cached=False,
        variant=variant.name if variant else "",
    )
