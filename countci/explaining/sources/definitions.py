"""What a file defines beside functions: macros, types, tables, constants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from countci.explaining.sources.functions import Function
from countci.explaining.sources.language import bare

Kind: TypeAlias = Literal["macro", "class", "struct", "union", "enum", "table", "constant"]

WORD = re.compile(r"[A-Za-z_]\w*")
_KEYWORDS = """
    struct union enum class const static unsigned signed int char long short void float double
    volatile inline extern typedef sizeof return if else for while do switch case break public
    private protected template typename size_t bool constexpr define pub fn let mut use impl
    crate u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 str static_assert
"""
KEYWORDS = frozenset(_KEYWORDS.split())
_MACRO = re.compile(r"\s*#\s*define\s+(\w+)(\([^)]*\))?(.*)")
_RUST_MACRO = re.compile(r"\s*macro_rules!\s*(\w+)")
_TYPE = re.compile(
    r"\b(struct|union|enum|class)\b\s*(?:\w+\s+)*?(\w+)?\s*(?:<[^{;]*>)?\s*(?:final)?\s*"
    r"(?::[^{;]*)?(\{|$)"
)
_DECLARED = re.compile(r"\s*\}\s*(\w+)\s*(?:\[[^\]]*\]\s*)+=")
_TABLE = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)+=\s*(?:\{|\"|$)")
_CONSTANT = re.compile(r"\b(?:const|constexpr|static)\b[^=;()]*?\b(\w+)\s*(?:=(?!=)|\{)")
_RUST_CONSTANT = re.compile(r"\b(?:const|static)\s+(?:mut\s+)?([A-Za-z_]\w*)\s*:[^=]*=")
_HEADER = 2
"""Lines between the name of a type and its brace, at most."""
_LONG = 400
"""A struct of more lines is looked into, as a class is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Names, and the lines that define them."""

    first: int
    last: int
    kind: Kind
    names: frozenset[str]
    mentions: frozenset[str]
    """Other names in it; left out for a class, which mentions everything."""


def definitions(
    text: str, functions: Sequence[Function], *, rust: bool = False
) -> tuple[Definition, ...]:
    """Return the definitions of a file, in order; those inside functions only if macros."""
    lines = bare(text, rust=rust).split("\n")
    inside = bytearray(len(lines) + 2)
    for function in functions:
        for line in range(function.first, min(function.last, len(lines)) + 1):
            inside[line] = 1
    found: list[Definition] = []
    at = 0
    while at < len(lines):
        next_at = at + 1
        if macro := _macro(lines, at):
            found.append(macro)
            next_at = macro.last
        elif not inside[at + 1]:
            new = _constant_of_rust(lines, at) if rust else None
            new = new or _block(lines, at) or _constant(lines, at)
            if new:
                found += _parts(lines, new)
                next_at = at + 1 if _is_open(new) else new.last
                if not _is_open(new):
                    found += (m for line in range(at, new.last) if (m := _macro(lines, line)))
        at = next_at
    return tuple(found)


def words(text: str) -> frozenset[str]:
    """Return the names in a piece of code."""
    return frozenset(WORD.findall(text)) - KEYWORDS


def _is_open(definition: Definition) -> bool:
    long = definition.last - definition.first > _LONG
    return definition.kind == "class" or (definition.kind == "struct" and long)


def _macro(lines: Sequence[str], at: int) -> Definition | None:
    if rust := _RUST_MACRO.match(lines[at]):
        last = _closing(lines, at)
        body = "\n".join(lines[at : last + 1]) if last is not None else ""
        return _definition((at, last or at), "macro", {rust[1]}, words(body))
    found = _MACRO.match(lines[at])
    if not found:
        return None
    last, body = at, found[3]
    while lines[last].rstrip().endswith("\\") and last + 1 < len(lines):
        last += 1
        body += " " + lines[last]
    arguments = words(found[2] or "")
    return _definition((at, last), "macro", {found[1]}, words(body) - arguments)


def _block(lines: Sequence[str], at: int) -> Definition | None:
    """Return the type or the table that begins at a line."""
    line = lines[at]
    table = _TABLE.search(line)
    kind = None if table else _TYPE.search(line)
    if kind and re.search(r"[;()=]", line.split("{", maxsplit=1)[0]):
        kind = None
    if not (table or kind):
        return None
    last = _closing(lines, at)
    if last is None:
        return None
    body = "\n".join(lines[at : last + 1])
    if table:
        return _definition((at, last), "table", {table[1]}, words(body))
    assert kind is not None
    names = {kind[2]} if kind[2] else set()
    names |= words(lines[last].rpartition("}")[2])  # typedef struct { … } name;
    mentions = frozenset() if kind[1] == "class" else words(body)
    return _definition((at, last), _kind(kind[1]), names, mentions)


def _parts(lines: Sequence[str], block: Definition) -> list[Definition]:
    """Return a type and the table that is declared with it, `struct level { … } levels[] = {`."""
    if block.kind not in ("struct", "union"):
        return [block]
    for number in range(block.first, block.last):
        if table := _DECLARED.match(lines[number]):
            body = words("\n".join(lines[number : block.last]))
            return [
                replace(block, last=number + 1),
                _definition((number, block.last - 1), "table", {table[1]}, body),
            ]
    return [block]


def _kind(word: str) -> Kind:
    if word == "class":
        return "class"
    if word == "struct":
        return "struct"
    return "union" if word == "union" else "enum"


def _constant(lines: Sequence[str], at: int) -> Definition | None:
    found = _CONSTANT.search(lines[at])
    if not found:
        return None
    return _definition((at, at), "constant", {found[1]}, words(lines[at][found.end() :]))


def _constant_of_rust(lines: Sequence[str], at: int) -> Definition | None:
    found = _RUST_CONSTANT.search(lines[at])
    if not found:
        return None
    last = at
    while not lines[last].rstrip().endswith(";") and last + 1 < len(lines):
        last += 1
    body = "\n".join(lines[at : last + 1])
    kind: Kind = "table" if "[" in body else "constant"
    return _definition((at, last), kind, {found[1]}, words(body))


def _closing(lines: Sequence[str], at: int) -> int | None:
    """Return the index of the line with the matching brace; None when there is none."""
    depth, opened = 0, False
    for number in range(at, len(lines)):
        line = lines[number]
        depth += line.count("{") - line.count("}")
        opened = opened or "{" in line
        if opened and depth <= 0:
            return number
        if not opened and (";" in line or number - at > _HEADER):
            return None
    return None


def _definition(
    lines: tuple[int, int], kind: Kind, names: set[str], mentions: frozenset[str]
) -> Definition:
    return Definition(
        first=lines[0] + 1,
        last=lines[1] + 1,
        kind=kind,
        names=frozenset(names),
        mentions=mentions - frozenset(names),
    )
