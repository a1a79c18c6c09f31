"""Which placements a query may ask for."""

from __future__ import annotations

from countci.errors import UsageError
from countci.model import APART, CommandWork, OutputWork, PythonWork, Query, ServerWork


def check_placement(query: Query, placement: str, *, where: str) -> None:
    """Raise a UsageError for a placement that means nothing to a kind of query."""
    server = isinstance(query.work, ServerWork)
    if not isinstance(query.work, CommandWork | OutputWork | PythonWork | ServerWork):
        raise UsageError(
            f"{query.id} is not timed",
            where=where,
            detail="there are placements of the kinds command, output, python and server",
        )
    if placement == APART and not server:
        raise UsageError(
            f"{query.id} has no load that could be apart from it",
            where=where,
            detail='"apart" is for the kind server; there are one-thread, one-core, separate-cores',
        )
    if placement != APART and server:
        raise UsageError(
            f"{query.id} is a server, which is placed apart from its load or not at all",
            where=where,
            detail='placement = "apart"',
        )
