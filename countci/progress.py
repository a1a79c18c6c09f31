"""What a run tells while it works. The pipeline speaks; `cli.progress` shows it, or nobody does."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Listens to a run. Called from any thread."""

    def step(self, name: str) -> None:
        """A new step begins: `build base 0b5fa1d`, `count head`."""
        ...

    def advance(self, what: str, done: int, of: int | None = None) -> None:
        """Inside the step: `what` (a query, a command) has `done` of `of` parts behind it."""
        ...


class Silent:
    """Shows nothing."""

    def step(self, name: str) -> None:
        """Ignore it."""

    def advance(self, what: str, done: int, of: int | None = None) -> None:
        """Ignore it."""
