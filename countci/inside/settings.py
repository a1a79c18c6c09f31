"""What the environment tells a suite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .chosen import Chosen
from .plans import Plans


class Settings(NamedTuple):
    """See suite.py."""

    out: Path
    profiles: str | None
    plans: Plans
    tests: str
    """Path of the file that says which; empty: all of them."""
    jobs: int
    timeout: int
    """Seconds; 0: none."""
    collector: str
    trace: Path | None = None
    """Gets what one ask of each test executes; then nothing is counted."""

    def chosen(self) -> Chosen:
        """Return which tests are asked for. To be called once they are collected: see `Plans`."""
        if not self.tests:
            return Chosen("", ())
        words = json.loads(Path(self.tests).read_text(encoding="utf-8"))
        return Chosen(words["query"], tuple(words["patterns"]))


def settings_of(env: Mapping[str, str]) -> Settings:
    """Return the settings; KeyError or ValueError for ones that are missing or wrong."""
    return Settings(
        out=Path(env["COUNTCI_OUT"]).absolute(),
        profiles=env.get("COUNTCI_PROFILES"),
        plans=Plans(env.get("COUNTCI_PLANS", "")),
        tests=env.get("COUNTCI_TESTS", ""),
        jobs=int(env.get("COUNTCI_JOBS", "1")),
        timeout=int(env.get("COUNTCI_TIMEOUT", "0")),
        collector=env.get("COUNTCI_COLLECTOR", "each"),
        trace=Path(env["COUNTCI_TRACE"]) if "COUNTCI_TRACE" in env else None,
    )
