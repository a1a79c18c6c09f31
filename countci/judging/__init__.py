"""Comparison to Verdict. Pure: no program, no clock, no environment."""

from countci.judging.sampled import wanted
from countci.judging.verdict import judge, worst

__all__ = ["judge", "wanted", "worst"]
