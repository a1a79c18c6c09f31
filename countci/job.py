"""What was asked for, as the command line says it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from countci.model import Limit, Reason, Revision
from countci.revisions import Repository
from countci.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What was asked for, as the command line says it."""

    where: Path
    """A folder in the repository."""
    env: Mapping[str, str]
    """The user's environment."""
    base: str | None = None
    """A name; None is the merge base with the default branch."""
    head: str | None = None
    """A name; None is HEAD."""
    worktree: bool = False
    """Head is what is not committed."""
    make: Callable[[Repository, Path], Revision] | None = None
    """Makes the head that is measured, a merge for one, out of the named one. The folder is for
    its objects."""
    config: Path | None = None
    """A configuration on disk, its query files beside it, instead of head's."""
    queries_from: str = "head"
    """`head` or `base`: whose query files both sides run."""
    patterns: tuple[str, ...] = ()
    """Which queries; empty is all."""
    limits: Mapping[str, Limit] = field(default_factory=dict)
    """Instead of the query files' limits."""
    metrics: tuple[str, ...] = ("instructions", "time")
    """Which metrics are measured at all: `instructions` stands for counts, `time` for samples."""
    jobs: int = 1
    """Counted runs at a time."""
    max_time: Seconds | None = None
    """Of the whole run; what isn't measured then is an error."""
    notices: tuple[Reason, ...] = ()
    """What whoever chose the two revisions has to say of them."""
    cache_dir: Path | None = None
    shard: tuple[int, int] | None = None
    """Number, from 1, and how many there are: only this part of the queries."""
    explain: bool = False
    """Say where every difference comes from, not only those that fail."""
    explain_failures: bool = True
    """Say where those come from that fail: two or three counts more for each."""

    @property
    def options(self) -> str:
        """What a command that goes on from here has to be given too, as it is typed."""
        given = {"--config": self.config, "--cache-dir": self.cache_dir}
        named = [(name, str(value)) for name, value in given.items() if value is not None]
        return shlex.join([word for pair in named for word in pair])
