"""What changed between the two trees, from the text of one `git diff -U0`."""

from countci.explaining.diff.mapping import LineMap, Mapped
from countci.explaining.diff.parsing import Diff, Edit, parse

__all__ = ["Diff", "Edit", "LineMap", "Mapped", "parse"]
