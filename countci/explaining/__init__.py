"""Where a difference of instructions comes from: functions, lines, hunks of the diff."""

from countci.explaining.explained import explain
from countci.explaining.question import Question
from countci.explaining.sides import Code, Side

__all__ = ["Code", "Question", "Side", "explain"]
