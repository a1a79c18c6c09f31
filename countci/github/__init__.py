"""GitHub Actions: what an event compares, and what an action's inputs ask for."""

from countci.github.events import choose
from countci.github.inputs import Inputs
from countci.github.pairs import Chosen, find
from countci.github.wishes import Named, SinceBranch, TestMerge, Two, Wish

__all__ = [
    "Chosen",
    "Inputs",
    "Named",
    "SinceBranch",
    "TestMerge",
    "Two",
    "Wish",
    "choose",
    "find",
]
