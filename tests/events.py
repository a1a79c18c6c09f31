"""GitHub's events, with the commits of a test in them."""

from __future__ import annotations

from pathlib import Path

_EVENTS = Path(__file__).parent / "data" / "github"
_LETTERS = {"head": "a", "base": "b", "group": "c", "old": "d"}


def event(name: str, **shas: str) -> bytes:
    """Return the payload `name`, with these commits as its `head`, `base`, `group`, `old`."""
    text = (_EVENTS / f"{name}.json").read_text(encoding="utf-8")
    for role, sha in shas.items():
        text = text.replace(_LETTERS[role] * 40, sha)
    return text.encode()
