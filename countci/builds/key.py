"""The name of a build: a digest of all that it depends on. The same key is never built twice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from countci.model import Recipe

_FORM = 1
"""Of keys and manifests; a new one makes old builds unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """All that a build depends on."""

    tree: str
    """Digest of the revision's tree, or of the recipe's inputs in it; submodules included."""
    recipe: Recipe
    env: Mapping[str, str]
    tools: Mapping[str, str]
    """Of `toolchain`."""
    stage: Path
    queries: str = ""
    """Digest of the query files; it counts only when a command takes `{queries}`."""


def key(inputs: Inputs) -> str:
    """Return 24 hex digits."""
    recipe = inputs.recipe
    takes_queries = any("{queries}" in command for command in recipe.commands)
    parts = {
        "form": _FORM,
        "tree": inputs.tree,
        "commands": recipe.commands,
        "artifacts": recipe.artifacts,
        "env": dict(inputs.env),
        "tools": dict(inputs.tools),
        "stage": str(inputs.stage),
        "queries": inputs.queries if takes_queries else "",
    }
    data = msgspec.json.encode(parts, order="deterministic")
    return hashlib.sha256(data).hexdigest()[:24]
