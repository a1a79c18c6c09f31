"""Query files to Query; a query, its place and n to a Command."""

from countci.queries.changes import changed, gone, loosened
from countci.queries.command import command, setup_command
from countci.queries.load import load
from countci.queries.memory import memory_commands, memory_work
from countci.queries.output import values as output_values
from countci.queries.place import Place
from countci.queries.pytest import digest_of, suite, suite_id, test_of
from countci.queries.python import runner
from countci.queries.select import matches, select
from countci.queries.server import filled_work, server_commands
from countci.queries.variants import alike, check_variant, takes_args, varied

__all__ = [
    "Place",
    "alike",
    "changed",
    "check_variant",
    "command",
    "digest_of",
    "filled_work",
    "gone",
    "load",
    "loosened",
    "matches",
    "memory_commands",
    "memory_work",
    "output_values",
    "runner",
    "select",
    "server_commands",
    "setup_command",
    "suite",
    "suite_id",
    "takes_args",
    "test_of",
    "varied",
]
