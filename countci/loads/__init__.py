"""Loads on a server: sent by a client of our own or by another program, and held to be valid."""

from countci.loads.counting import POINTS, answering
from countci.loads.measuring import Trial, measure
from countci.loads.notes import notes

__all__ = ["POINTS", "Trial", "answering", "measure", "notes"]
