"""What is known of one side before its difference from the other is explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from countci.counting import CostGraph

Names: TypeAlias = Literal["lines", "functions", "none"]
"""How much the debug information tells: files and lines, only symbols, nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """The machine code of what ran. Made by `explaining.binaries`."""

    functions: Mapping[str, str]
    """Digest without addresses, by cleaned name: equal digests are the same code."""
    objects: Mapping[str, str]
    """Digest of the bytes of named data objects (tables), by name."""
    producers: Mapping[str, str]
    """Compiler and flags, by compiled file below the top of the tree."""
    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of what is to be explained."""

    graph: CostGraph
    code: Code | None
    """None: it could not be read (no objdump)."""
    source: Callable[[str], str | None]
    """The text of a file of its tree, by path below the top; None when there is none."""
