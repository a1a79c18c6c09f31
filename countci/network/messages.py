"""What is asked of a server, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request."""

    method: Literal["GET", "POST", "PATCH"]
    url: str
    body: bytes = field(default=b"", repr=False)

    @property
    def repeatable(self) -> bool:
        """Whether asking twice does the same as asking once."""
        return self.method != "POST"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = field(repr=False)
