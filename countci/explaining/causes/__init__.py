"""From items of a difference to causes a person would name, and the hunk to blame."""

from countci.explaining.causes.facts import Facts
from countci.explaining.causes.gathering import gather
from countci.explaining.causes.group import Group, Part
from countci.explaining.causes.judgement import Judgement, judge

__all__ = ["Facts", "Group", "Judgement", "Part", "gather", "judge"]
