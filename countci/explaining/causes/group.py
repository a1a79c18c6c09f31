"""What items are put together by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from countci.explaining.attributing import Item
from countci.model import CauseKind


class SourceFunction(NamedTuple):
    """A function of the sources."""

    file: str
    """Of head's tree."""
    name: str


class Group(NamedTuple):
    """One thing that costs more or less."""

    kind: CauseKind
    function: SourceFunction | None = None
    """Of a changed one."""
    edit: int | None = None
    """Of a changed definition."""


ALLOCATOR = Group(CauseKind.ALLOCATOR)
SAME_CODE = Group(CauseKind.SAME_CODE)
INLINING = Group(CauseKind.INLINING)
FLAGS = Group(CauseKind.FLAGS)
COMPILED_DIFFERENTLY = Group(CauseKind.COMPILED_DIFFERENTLY)


def changed(function: SourceFunction) -> Group:
    """Return the group of a changed function."""
    return Group(CauseKind.CHANGED, function=function)


def definition(edit: int) -> Group:
    """Return the group of what an edit defines."""
    return Group(CauseKind.DEFINITION, edit=edit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """An item, and what it is put down to."""

    item: Item
    group: Group
    edit: int | None = None
    """The edit it points at."""
    on_change: bool = False
    """It lies on a line of the edit."""
    why: str = ""
    """`beside a call of it`; empty where the group says it all."""
