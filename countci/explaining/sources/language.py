"""Which files are sources, and what their text is without what never runs."""

from __future__ import annotations

import re

_SOURCE = re.compile(
    r"\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inc|inl|def|ipp|tcc|rs)$", re.IGNORECASE
)
_COMMENT = r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)"
_C = re.compile(
    _COMMENT
    + r'|R"(?P<raw>[^\s()\\]{0,16})\(.*?\)(?P=raw)"'
    + r'|"(?:\\.|[^"\\\n])*"'
    + r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
_RUST = re.compile(
    _COMMENT
    + r'|\br(?P<raw>#*)".*?"(?P=raw)'
    + r'|"(?:\\.|[^"\\])*"'
    + r"|'(?:\\u\{[0-9a-fA-F_]+\}|\\x..|\\.|[^'\\\n])'",
    re.DOTALL,
)


def is_source(path: str) -> bool:
    """Return whether a file is C, C++ or Rust, by its name."""
    return _SOURCE.search(path) is not None


def is_rust(path: str) -> bool:
    """Return whether a file is Rust, by its name."""
    return path.endswith(".rs")


def bare(text: str, *, rust: bool = False, strings: bool = False) -> str:
    """Return `text` with comments as spaces, and with empty strings unless `strings` are kept.

    Every line stays where it is.
    """
    return (_RUST if rust else _C).sub(
        lambda found: found[0] if strings and found[0][0] != "/" else _blank(found[0]), text
    )


def _blank(token: str) -> str:
    newlines = "\n" * token.count("\n")
    if token[0] == "/":
        return newlines or " "
    return ("''" if token[0] == "'" else '""') + newlines
