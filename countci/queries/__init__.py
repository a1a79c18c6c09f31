"""Query files to Query; a query, its place and n to a Command."""

from countci.queries.changes import gone, loosened
from countci.queries.command import command, setup_command
from countci.queries.load import load
from countci.queries.place import Place
from countci.queries.python import runner
from countci.queries.select import select

__all__ = ["Place", "command", "gone", "load", "loosened", "runner", "select", "setup_command"]
