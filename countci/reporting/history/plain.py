"""Text for terminals that know ASCII alone."""

from __future__ import annotations

_PLAIN = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{NO-BREAK SPACE}": " ",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{PLUS-MINUS SIGN}": "+/-",
}


def ascii_only(text: str) -> str:
    """Return `text` in ASCII; what has no plain form is a question mark."""
    for character, plain in _PLAIN.items():
        text = text.replace(character, plain)
    return text.encode("ascii", "replace").decode()
