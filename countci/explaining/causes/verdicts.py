"""Who is named, and by which way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from countci.explaining.attributing import Inlined
from countci.explaining.causes.group import Group

How: TypeAlias = Literal[
    "first",  # the largest group
    "data",  # a changed table, macro or constant that unchanged code uses
    "proven",  # the same code got other data
    "likely-data",  # the same, but for a data object whose bytes differ
    "heap-calls",  # through the allocator: another number of calls
    "heap-sizes",  # … other sizes
    "heap-layout",  # … a type of another size
    "heap",  # … nobody knows how
    "calls",  # a new call of a function, which is no longer inlined elsewhere
    "flags",  # a build file changes a flag that the debug information names
    "weak",  # the largest group has no hunk, but this one has
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The group and the edit that are named."""

    group: Group | None
    edit: int | None = None
    how: How = "first"
    inlined: Inlined | None = None


NOBODY = Verdict(group=None)
