"""Every kind of query, by the word that a query file calls it. To add one: write it, list it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from countci.model import Work
from countci.queries.command import CommandTable
from countci.queries.command import read as read_command
from countci.queries.memory import MemoryTable
from countci.queries.memory import own as own_of_memory
from countci.queries.memory import read as read_memory
from countci.queries.output import OutputTable
from countci.queries.output import own as own_of_output
from countci.queries.output import read as read_output
from countci.queries.pytest import PytestTable
from countci.queries.pytest import read as read_pytest
from countci.queries.python import PythonTable
from countci.queries.python import read as read_python
from countci.queries.server import ServerTable
from countci.queries.server import own as own_of_server
from countci.queries.server import read as read_server
from countci.queries.tables import Entry, Own, QueryTable

Table = TypeVar("Table", bound=QueryTable)


@dataclass(frozen=True, slots=True)
class Kind(Generic[Table]):
    """How a query file's table becomes work."""

    table: type[Table]
    """What may be written in it."""
    read: Callable[[Table, Entry], Work]
    own: Callable[[Table, Entry], Own] = lambda _table, _entry: Own()
    """What it can measure beside instructions and time."""


KINDS: Mapping[str, Kind[Any]] = {
    "command": Kind(CommandTable, read_command),
    "memory": Kind(MemoryTable, read_memory, own_of_memory),
    "output": Kind(OutputTable, read_output, own_of_output),
    "pytest": Kind(PytestTable, read_pytest),
    "python": Kind(PythonTable, read_python),
    "server": Kind(ServerTable, read_server, own_of_server),
}
