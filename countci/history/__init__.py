"""Counts along a line of commits: every one of a range, or the few that a search needs."""

from countci.history.bisect import Explain, Search, bisect
from countci.history.log import Range, log
from countci.history.survey import Asked

__all__ = ["Asked", "Explain", "Range", "Search", "bisect", "log"]
