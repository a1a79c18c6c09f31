"""What git tells a pre-push hook."""

from __future__ import annotations

import re
from dataclasses import dataclass

from countci.errors import UsageError

_BRANCH = "refs/heads/"
_SHA = re.compile(r"[0-9a-f]{40}")
_NOTHING = "0" * 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One branch that is about to be pushed."""

    branch: str
    """Its name at the remote."""
    old: str | None
    """The remote's commit, 40 hex digits; None: the branch is new there."""
    new: str


def pushed(text: str) -> tuple[Push, ...]:
    """Return the branches that a push changes, not those that it deletes, and no tags.

    Args:
        text: what git gives to the hook on standard input.

    Raises:
        UsageError: it is something else.

    Source:
        githooks(5), pre-push: `<local ref> SP <local object> SP <remote ref> SP <remote
        object>`, a line each; an object that isn't there is all zeros.
    """
    found: dict[Push, None] = {}
    for line in filter(None, text.split("\n")):
        fields = line.rsplit(" ", 3)
        if len(fields) != 4 or not all(_SHA.fullmatch(fields[each]) for each in (1, 3)):
            raise UsageError(
                "not what git gives to a pre-push hook",
                where=f"standard input: {line}",
                detail="git calls it by itself: countci hook install",
            )
        _, new, ref, old = fields
        if ref.startswith(_BRANCH) and new != _NOTHING:
            branch = ref.removeprefix(_BRANCH)
            found[Push(branch=branch, old=None if old == _NOTHING else old, new=new)] = None
    return tuple(found)
