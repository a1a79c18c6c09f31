"""What a process holds, read from `/proc` when it is quiet; never while anything is timed."""

from countci.memory.held import Held, parse, quiet
from countci.memory.measuring import Trial, measure

__all__ = ["Held", "Trial", "measure", "parse", "quiet"]
