"""What is known already, and what a run leaves on disk."""

from countci.storing.results import write, write_file
from countci.storing.store import Store

__all__ = ["Store", "write", "write_file"]
