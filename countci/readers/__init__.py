"""What other programs print, to numbers: one file a program. Pure: text in, numbers out.

A number that can't be trusted is no number: one that is missing, not finite, not above zero, or
stands beside an error count above zero is an error that quotes the line.
"""

from countci.readers.choosing import by_path, by_pattern, chosen
from countci.readers.patterns import check_pattern
from countci.readers.reader import Number, Reader
from countci.readers.table import READERS

__all__ = ["READERS", "Number", "Reader", "by_path", "by_pattern", "check_pattern", "chosen"]
