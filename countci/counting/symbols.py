"""Names of functions as two builds share them: without what a compiler adds to a symbol."""

from __future__ import annotations

import re

_CLONE = re.compile(r" \[clone [^\]]*\]$")
_SUFFIX = re.compile(
    r"\.(?:constprop|isra|part|cold|hot|lto_priv|llvm|localalias|unlikely|warm)(?:\.[0-9]+)*$"
)
_RECURSION = re.compile(r"'[0-9]+$")
_VERSION = re.compile(r"(?<=[\w)>\]])@{1,2}[A-Za-z_][A-Za-z0-9_.]*$")
_RUST_HASH = re.compile(r"::h[0-9a-f]{16}$")
_RUST_CRATE = re.compile(r"(?<=[A-Za-z0-9_])\[[0-9a-f]{1,16}\](?=::|>|$)")
_ENDS = (_CLONE, _SUFFIX, _RECURSION, _VERSION, _RUST_HASH)


def cleaned(name: str) -> str:
    """Return the name of a function without what differs from build to build.

    Left out are clones (`.constprop.0`, ` [clone .cold]`), callgrind's levels of recursion
    (`'2`), versions (`@@GLIBC_2.34`), and the digests in names of Rust.

    Args:
        name: a symbol, demangled.
    """
    if name.isidentifier():  # most names: nothing was added
        return name
    before = ""
    while name != before:
        before = name
        for end in _ENDS:
            name = end.sub("", name) or name
    return _RUST_CRATE.sub("", name)
