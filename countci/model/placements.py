"""Where a timed program runs, by name; `placement` finds the hardware threads."""

from __future__ import annotations

ONE_THREAD = "one-thread"
ONE_CORE = "one-core"
"""Both hardware threads of one core."""
SEPARATE_CORES = "separate-cores"
"""One hardware thread in each of two cores."""
APART = "apart"
"""A server on one core, and what asks it on another."""
NOT_MEASURABLE = "not-measurable"
"""Code of the reason why a machine has no such placement."""
PLACEMENTS = (ONE_THREAD, ONE_CORE, SEPARATE_CORES, APART)
