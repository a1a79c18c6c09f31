"""Where functions begin and end, by matching braces: no compiler, no build.

Namespaces, classes, `extern "C"`, `impl` and `mod` are transparent; branches behind `#else`
are skipped, since their braces would count twice.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from countci.explaining.sources.language import bare

_TOKEN = re.compile(r"[{};\n]")
_NAME = re.compile(
    r"((?:[A-Za-z_]\w*(?:<[^<>]*>)?::)*"
    r"(?:operator\s*(?:\(\)|[^\s(\w]+|\s\w[^(]*)|~?[A-Za-z_]\w*))\s*\("
)
_RUST_NAME = re.compile(r"\bfn\s+(?:r#)?([A-Za-z_]\w*)")
_KEYWORDS = """
    if for while switch catch return do else sizeof defined __attribute__ alignas decltype
    noexcept requires
"""
_NO_FUNCTION = frozenset(_KEYWORDS.split())
_TYPE = re.compile(r'(?:namespace|struct|class|enum|union|extern\s*"")\b(?![^(]*\()')
_ACCESS = re.compile(r"\b(?:public|protected|private)\s*:(?!:)")
_INITIALIZER = re.compile(r"\)\s*:(?!:).*[\w>]$", re.DOTALL)
"""`Node(int x) : next_`, before a brace that is no body's."""
_DIRECTIVE = re.compile(r"\s*#\s*(\w*)")


class Function(NamedTuple):
    """Lines of a function, its header included, from 1."""

    first: int
    last: int
    name: str
    """As written: `parse_value`, `XMLNode::ParseDeep`; Rust's without its type."""


def functions(text: str, *, rust: bool = False) -> tuple[Function, ...]:
    """Return the outermost functions of a file, in order."""
    clean = bare(text, rust=rust)
    if not rust:
        clean = _ACCESS.sub("", _without_directives(clean))
    scan = _Scan(rust=rust)
    end = 0
    for token in _TOKEN.finditer(clean):
        scan.add(clean[end : token.start()])
        scan.meet(token[0])
        end = token.end()
    return tuple(scan.found)


class _Scan:
    """Reads a file from its first to its last brace."""

    def __init__(self, *, rust: bool) -> None:
        self.found: list[Function] = []
        self._name = _rust_name if rust else _c_name
        self._line = 1
        self._head = ""
        self._first = 1
        self._inside: tuple[int, str] | None = None
        self._depth = 0
        self._initializers = 0

    def add(self, text: str) -> None:
        """Collect what may be the header of a function."""
        if self._inside is None and text.strip():
            if not self._head.strip():
                self._first = self._line
            self._head += text

    def meet(self, mark: str) -> None:
        """Take the next brace, semicolon or end of a line."""
        if mark == "\n":
            self._line += 1
            self._head += " " if self._inside is None else ""
        elif mark == "{":
            self._open()
        elif mark == "}":
            self._close()
        elif self._inside is None:
            self._head = ""

    def _open(self) -> None:
        if self._inside is not None:
            self._depth += 1
            return
        if self._initializers or _INITIALIZER.search(self._head.strip()):
            self._initializers += 1
            return
        name = self._name(self._head.strip())
        if name:
            self._inside, self._depth = (self._first, name), 1
        self._head = ""

    def _close(self) -> None:
        if self._initializers:
            self._initializers -= 1
            self._head += ")" if not self._initializers else ""
            return
        if self._inside is not None:
            self._depth -= 1
            if not self._depth:
                self.found.append(Function(self._inside[0], self._line, self._inside[1]))
                self._inside = None
        self._head = ""


def _rust_name(head: str) -> str | None:
    found = _RUST_NAME.search(head)
    return found[1] if found else None


def _c_name(head: str) -> str | None:
    """Return the last `name(` outside of parentheses; None for types, tables, namespaces."""
    if _TYPE.match(head) or head.endswith("=") or "(" not in head:
        return None
    if re.search(r"(?<![=!<>])=(?!=)", head.split("(", maxsplit=1)[0].partition("operator")[0]):
        return None
    head = re.split(r"\)\s*:(?!:)", head)[0]  # without a constructor's list
    best = None
    for found in _NAME.finditer(head):
        depth = head.count("(", 0, found.start()) - head.count(")", 0, found.start())
        if not depth and found[1] not in _NO_FUNCTION:
            best = found[1]
    return best


def _without_directives(text: str) -> str:
    """Return the text with preprocessor lines, and what lies behind `#else`, as empty lines."""
    kept: list[str] = []
    skipping: list[bool] = []
    continued = False
    for line in text.split("\n"):
        found = None if continued else _DIRECTIVE.match(line)
        if found:
            _turn(skipping, found[1])
        kept.append("" if continued or found or any(skipping) else line)
        continued = (continued or found is not None) and line.rstrip().endswith("\\")
    return "\n".join(kept)


def _turn(skipping: list[bool], word: str) -> None:
    if word in ("if", "ifdef", "ifndef"):
        skipping.append(False)
    elif word in ("else", "elif", "elifdef", "elifndef") and skipping:
        skipping[-1] = True
    elif word == "endif" and skipping:
        skipping.pop()
