"""The one comment of countci on a pull request: which it is, and what becomes of it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

_FORK = """
A fork controls its code and its workflow: these numbers are its claim, until the merge queue or
the push after the merge has measured again.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment that is there."""

    id: int
    body: str
    login: str
    """Of its author."""
    kind: str
    """`Bot` or `User`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The comment that shall be there."""

    body: str
    attempt: tuple[int, int]
    """Run and attempt that it tells of."""
    speaks: bool
    """There is something to say, so that one is created where there is none."""
    mark: str
    """What all comments of the same key begin with."""
    attempt_of: Callable[[str], tuple[int, int] | None]
    """Returns run and attempt that a comment's body tells of."""
    author: str
    """Login of who writes it; nobody else's comment is ever edited."""

    def owns(self, comment: Comment) -> bool:
        """Return whether `comment` is the one, by its mark and its author."""
        bot = self.author.endswith("[bot]")
        return (
            comment.login == self.author
            and (comment.kind == "Bot" or not bot)
            and comment.body.startswith(self.mark)
        )


def decide(wanted: Wanted, found: Comment | None) -> Literal["create", "edit", "leave", "newer"]:
    """Return what becomes of the comment that was found; a newer run's is left as it is."""
    if found is None:
        return "create" if wanted.speaks else "leave"
    there = wanted.attempt_of(found.body)
    if there is not None and there > wanted.attempt:
        return "newer"
    return "edit"


def claimed(body: str, *, fork: bool) -> str:
    """Return the body with a last line that says how far it can be trusted."""
    return body + _FORK if fork else body
