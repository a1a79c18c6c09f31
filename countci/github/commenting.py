"""The comment put where it belongs: found, then created, edited, or left alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from countci.github.sticky import Comment, Wanted, decide
from countci.network import Uncertain

_TRIES = 2


class Comments(Protocol):
    """The comments of a repository; `rest.Rest` is GitHub's."""

    def comments(self, number: int) -> Iterable[Comment]:
        """Return those on a pull request, oldest first."""
        ...

    def create(self, number: int, body: str) -> None:
        """Add one to a pull request."""
        ...

    def edit(self, comment: int, body: str) -> None:
        """Give one another body."""
        ...


def put(comments: Comments, number: int, wanted: Wanted) -> str:
    """Return what was done about the comment on a pull request, in words.

    Raises:
        Uncertain: GitHub says nothing of a new comment, which isn't there either.
        MeasureError: it refuses.
    """
    found = _find(comments, number, wanted)
    match decide(wanted, found):
        case "create":
            return _create(comments, number, wanted)
        case "edit":
            assert found is not None
            comments.edit(found.id, wanted.body)
            return f"pull request {number}: comment {found.id} edited"
        case "newer":
            return f"pull request {number}: its comment is of a newer run, and stays"
        case "leave":
            return f"pull request {number}: nothing to say, and no comment to edit"


def _create(comments: Comments, number: int, wanted: Wanted) -> str:
    """Add the comment; what seems lost may be there, and is looked for before it is sent again."""
    for left in reversed(range(_TRIES)):
        try:
            comments.create(number, wanted.body)
            break
        except Uncertain:
            if _find(comments, number, wanted) is not None:
                break
            if not left:
                raise
    return f"pull request {number}: comment created"


def _find(comments: Comments, number: int, wanted: Wanted) -> Comment | None:
    return next((each for each in comments.comments(number) if wanted.owns(each)), None)
