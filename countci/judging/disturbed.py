"""Which runs of a side got clearly less of a core than its others."""

from __future__ import annotations

from collections.abc import Sequence

from countci.judging.statistics import median

_SPREADS = 3.0
"""Where a fall is more than chance: 3 scaled median absolute deviations, the conservative choice
of Leys et al., "Detecting outliers", Journal of Experimental Social Psychology 49 (2013)."""
_SCALE = 1.4826
"""Median absolute deviation to standard deviation, for a normal distribution."""
_LEAST = 0.04
"""Of the median: less is nothing that anyone would call disturbed, however calm the others were."""


def disturbed(shares: Sequence[float]) -> tuple[bool, ...]:
    """Return, for each run of one side, whether its share of a core fell below the others'."""
    if not shares:
        return ()
    middle = median(shares)
    spread = _SCALE * median([abs(share - middle) for share in shares])
    allowed = max(_SPREADS * spread, _LEAST * middle)
    return tuple(middle - share > allowed for share in shares)
