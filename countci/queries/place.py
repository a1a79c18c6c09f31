"""Where a query's processes run, and what they see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The same absolute paths and the same environment for both sides."""

    tree: Path
    """The stage: working directory of every process."""
    work: Path
    """Parent of the suites' `{work}` folders."""
    queries: Path
    """Head's query files: `{queries}`."""
    env: Mapping[str, str]
    """The whole allow-listed environment."""

    def with_env(self, more: Mapping[str, str]) -> Place:
        """Return the same place with `more` in its environment."""
        return replace(self, env={**self.env, **more})
