"""What a person would say of a judgement."""

from countci.explaining.words.blaming import blame
from countci.explaining.words.causing import causes
from countci.explaining.words.moving import functions, lines

__all__ = ["blame", "causes", "functions", "lines"]
