"""What can go wrong on the way to a server and back."""

from __future__ import annotations

from countci.errors import MeasureError


class NetworkError(MeasureError):
    """A server gave no answer that helps. No verdict depends on one."""


class Uncertain(NetworkError):  # noqa: N818 - nothing went wrong that anybody knows of
    """Nobody knows whether the server has done what it was asked: look before asking again."""


class Elsewhere(NetworkError):  # noqa: N818 - the server's way of working, not a fault
    """The answer leads to another server, and would again."""
