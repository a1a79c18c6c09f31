"""What a side is built by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from countci.model import Recipe, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a side is built by."""

    recipe: Recipe
    env: Mapping[str, str]
    tools: Mapping[str, str]
    variant: Variant | None = None


def varied(recipe: Recipe, variant: Variant | None) -> Recipe:
    """Return the recipe with a variant's own commands, if it has some."""
    if variant is None or variant.build is None:
        return recipe
    return msgspec.structs.replace(recipe, commands=variant.build)
