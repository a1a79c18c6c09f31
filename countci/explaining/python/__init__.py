"""Python queries, explained in Python's own words: functions, calls, byte codes."""

from countci.explaining.python.explained import explain
from countci.explaining.python.question import Question

__all__ = ["Question", "explain"]
