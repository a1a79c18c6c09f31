"""Comparison to Verdict. Pure: no program, no clock, no environment."""

from countci.judging.accepting import accept, unused_acceptances
from countci.judging.both import same_instructions
from countci.judging.checking import check, gone
from countci.judging.drifting import add_drift
from countci.judging.loosening import LOOSENED, loosened_notices, mark_loosened
from countci.judging.recorded import differing
from countci.judging.recounts import wanted as wanted_counts
from countci.judging.sampled import wanted
from countci.judging.several import wanted as wanted_by
from countci.judging.verdict import judge, overall, worst

__all__ = [
    "LOOSENED",
    "accept",
    "add_drift",
    "check",
    "differing",
    "gone",
    "judge",
    "loosened_notices",
    "mark_loosened",
    "overall",
    "same_instructions",
    "unused_acceptances",
    "wanted",
    "wanted_by",
    "wanted_counts",
    "worst",
]
