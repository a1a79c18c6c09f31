"""What the environment tells a suite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .chosen import Chosen
from .plan import Plan


class Settings(NamedTuple):
    """See suite.py."""

    out: Path
    profiles: str | None
    plans: Mapping[str, Plan]
    chosen: Chosen
    jobs: int
    timeout: int
    """Seconds; 0: none."""
    collector: str
    trace: Path | None = None
    """Gets what one ask of each test executes; then nothing is counted."""


def settings_of(env: Mapping[str, str]) -> Settings:
    """Return the settings; KeyError or ValueError for ones that are missing or wrong."""
    plans = {}
    if path := env.get("COUNTCI_PLANS"):
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        plans = {test: Plan(warm, tuple(points)) for test, (warm, points) in found.items()}
    chosen = Chosen("", ())
    if path := env.get("COUNTCI_TESTS"):
        words = json.loads(Path(path).read_text(encoding="utf-8"))
        chosen = Chosen(words["query"], tuple(words["patterns"]))
    return Settings(
        out=Path(env["COUNTCI_OUT"]).absolute(),
        profiles=env.get("COUNTCI_PROFILES"),
        plans=plans,
        chosen=chosen,
        jobs=int(env.get("COUNTCI_JOBS", "1")),
        timeout=int(env.get("COUNTCI_TIMEOUT", "0")),
        collector=env.get("COUNTCI_COLLECTOR", "each"),
        trace=Path(env["COUNTCI_TRACE"]) if "COUNTCI_TRACE" in env else None,
    )
