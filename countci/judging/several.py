"""Several sampled metrics of one query: they share its pairs."""

from __future__ import annotations

import countci.judging.memory as memory
import countci.judging.sampled as sampled
from countci.model import MemoryWork, Query, Samples, Wanted

_ORDER = ("pairs", "confirming", "control")


def wanted(samples: Samples, query: Query) -> Wanted | None:
    """Return which pairs are missing to judge every sampled metric; None when none are.

    The rule says of each what it still needs. Pairs come before what confirms them, so that a
    confirmation is of as many pairs as all of the metrics end with.
    """
    if isinstance(query.work, MemoryWork):
        return memory.wanted(samples)
    missing = [
        found
        for metric in map(query.metric, query.metrics)
        if not metric.exact
        and (found := sampled.wanted(samples, query.limit(metric), metric)) is not None
    ]
    if not missing:
        return None
    block = min((each.block for each in missing), key=_ORDER.index)
    return Wanted(block=block, more=max(each.more for each in missing if each.block == block))
