"""What would disturb a measurement on this machine, and the remedy of each."""

from countci.doctor.examine import Examination, examine
from countci.doctor.finding import Finding, Level
from countci.doctor.render import render
from countci.doctor.trying import try_query

__all__ = ["Examination", "Finding", "Level", "examine", "render", "try_query"]
