"""Where a difference of an exact metric comes from."""

from __future__ import annotations

import enum

from countci.model.frozen import Frozen
from countci.model.reasons import Reason


class Hunk(Frozen, frozen=True, kw_only=True):
    """Lines of the diff, narrowed to those that matter. Made by `explaining`."""

    file: str
    """Path of head's tree, from the top of the repository."""
    first: int
    """Line of head, from 1."""
    last: int
    """The last one that belongs to it; for removed code `first`, the line before it."""
    removed: bool = False
    """Nothing of it is left in head."""

    @property
    def text(self) -> str:
        """`cJSON.c:356-376`, as compilers write it."""
        lines = str(self.first) if self.last <= self.first else f"{self.first}-{self.last}"
        return f"{self.file}:{lines}"


class CauseKind(enum.Enum):
    """What kind of thing a cost moved for; those below the first two rarely lie on a hunk."""

    CHANGED = "changed"
    """A changed function, or a line beside a change."""
    DEFINITION = "definition"
    """A changed macro, table, constant or type that the code uses."""
    ALLOCATOR = "allocator"
    """malloc and free themselves: same calls, other state of the heap."""
    SAME_CODE = "same-code"
    """The same machine code got other data."""
    INLINING = "inlining"
    """The compiler inlines another set of functions."""
    FLAGS = "flags"
    """Other compiler flags, or another compiler."""
    COMPILED_DIFFERENTLY = "compiled-differently"
    """Other machine code, and neither a changed line nor a name nor a flag tells why."""
    OUTSIDE = "outside"
    """A library, the interpreter: called as before, or from elsewhere."""
    BELOW_PYTHON = "below-python"
    """No Python function, line or byte code of an ask moved."""


class Cause(Frozen, frozen=True, kw_only=True):
    """One part of a difference. Made by `explaining`."""

    kind: CauseKind
    delta: float
    """Instructions per ask, head - base."""
    share: float
    """`delta` as a fraction of base's whole ask, so that causes add up to the query's delta."""
    title: str
    """What a person would call it: a function, `malloc and free themselves`, `compiler flags`."""
    hunks: tuple[Hunk, ...] = ()
    """Where in head's tree, largest first."""
    words: str = ""
    """Why, in a few words without a full stop: `caused by this change`, `not changed`."""
    details: tuple[str, ...] = ()
    """Sentences below it: callees that are called more often, what is no longer inlined."""


class Blame(Frozen, frozen=True, kw_only=True):
    """The one hunk that is named for a difference. Made by `explaining`."""

    hunk: Hunk
    sure: bool
    """Both rules name it: `caused by`. Otherwise `most likely`."""
    other: Hunk | None = None
    """What the second rule names, where it names another one."""
    title: str = ""
    """The function or definition that it belongs to."""
    words: str = ""
    """What is done more or less there: `2,000 more calls of malloc (+142k) and free (+218k)`."""
    source: str = ""
    """Its first line that matters, as it is written."""


class Moved(Frozen, frozen=True, kw_only=True):
    """The own cost of a function or a line on both sides."""

    name: str
    """A function, or `file:line` in head's tree."""
    base: float
    """Instructions per ask."""
    head: float


class Explanation(Frozen, frozen=True, kw_only=True):
    """Where the difference of one exact metric of one query comes from. Made by `explained`."""

    query: str
    metric: str = "instructions"
    base: float
    """Per ask."""
    head: float
    causes: tuple[Cause, ...] = ()
    """At most five, of 4 % of the difference or more; those of its sign first, largest first."""
    rest: float = 0.0
    """Per ask: what the causes leave."""
    blame: Blame | None = None
    """None: no hunk can be named, and `causes` say why."""
    functions: tuple[Moved, ...] = ()
    """By own cost, largest difference first."""
    lines: tuple[Moved, ...] = ()
    notes: tuple[Reason, ...] = ()
    """What is missing for a better answer, and how to get it."""
