"""Which names an edit changes: of macros, tables, constants, types, their members."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from countci.explaining.diff import Edit
from countci.explaining.sources.definitions import KEYWORDS, WORD, Definition
from countci.explaining.sources.tree import Tree

_ROUNDS = 6
"""Of following names through other definitions: lua_assert → api_check → …"""
_STRONG = frozenset({"macro", "table", "constant", "enum"})
_MEMBER = re.compile(r"[^()=#]*?\b(\w+)\s*(?:\[[^\]]*\])*\s*(?::\s*\d+\s*)?;")
_FIELD = re.compile(
    r"(?!\s*(?:static|constexpr|typedef|using|friend|return)\b|\s*enum\b[^;]*\{)"
    + _MEMBER.pattern.removesuffix(";")
    + r"(?:=[^;]*|\{[^;]*\})?;"
)
_RUST_MEMBER = re.compile(r"\s*(?:pub(?:\([^)]*\))?\s+)?([a-z_]\w*)\s*:\s*[^:=]+,\s*$")
_CLASS_CONSTANT = re.compile(r"\s*(?:static\s+)?const(?:expr)?\b[^=]*\b(\w+)\s*=")
_ENUM_LINE = re.compile(r"\s*[A-Z_0-9]+\s*(?:=.*)?,?\s*")
_ENUM_NAME = re.compile(r"\b([A-Za-z_]\w+)\s*(?==[^=]|,|$)")
_ENUM_BODY = re.compile(r"\benum\b[^{]*\{([^}]*)")
_METHOD = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_MACRO_HEAD = re.compile(r"\s*#\s*define\s+\w+(?:\([^)]*\))?")
_DECLARATION = re.compile(
    r"\s*(?!(?:return|goto|else|case|delete|throw|break|continue)\b)"
    r"[A-Za-z_]\w*(?:::\w+)*(?:<[^;]*>)?(?:\s+\w+)*?[\s*&]+\w+\s*(?:\[[^\]]*\]\s*)*(?::\s*\d+\s*)?"
)
"""`struct node *next`, `unsigned flags : 3`: a type and a name, nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedNames:
    """What a diff changes outside of functions."""

    edits: dict[str, int]
    """The edit that changes each name, itself or through other definitions."""
    strong: frozenset[str]
    """Macros, tables, constants, enumerators: a line that names one uses it."""
    layouts: frozenset[int]
    """Edits that change which members a type has."""
    shapes: dict[str, int]
    """The edit that changes the layout of each type, classes among them."""

    @property
    def strong_edits(self) -> frozenset[int]:
        """Edits that change a strong name."""
        return frozenset(self.edits[name] for name in self.strong if name in self.edits)

    def of(self, edit: int) -> list[str]:
        """Return the names that an edit changes, as they were found."""
        return [name for name, number in self.edits.items() if number == edit]


@dataclass(slots=True)
class _Found:
    edits: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    strong: set[str] = field(default_factory=set)
    layouts: set[int] = field(default_factory=set)
    classes: dict[str, int] = field(default_factory=dict)


def changed_names(
    edits: Iterable[Edit], base: Tree, head: Tree, files: Callable[[], Iterable[str]]
) -> ChangedNames:
    """Return the names that `edits`, none of them inert, change outside of functions.

    Args:
        edits: of sources.
        base: their old side.
        head: their new side, which is searched for other definitions that mention a name.
        files: gives the paths of head that are searched; asked only if that can matter.
    """
    found = _Found()
    for edit in edits:
        whole = _inside_functions(edit, base, head)
        for lines, definition in _touched(edit, base, head):
            if definition.kind == "macro" or not whole:
                _take(found, edit, definition, lines)
    if found.types:
        _close(found, [each for file in files() for each in head.definitions(file)])
    shapes = {name: edit for name, edit in found.types.items() if edit in found.layouts}
    return ChangedNames(
        edits=found.edits,
        strong=frozenset(found.strong),
        layouts=frozenset(found.layouts),
        shapes={**found.classes, **shapes},
    )


def _touched(edit: Edit, base: Tree, head: Tree) -> Iterator[tuple[list[str], Definition]]:
    """Yield each definition that an edit touches, with the edit's lines of that side."""
    for tree, path, first, count in (
        (base, edit.old, edit.old_first, len(edit.minus)),
        (head, edit.new, edit.new_first, len(edit.plus)),
    ):
        if not count:
            continue
        lines = tree.code(path, first, count)
        for definition in tree.definitions(path):
            if definition.first < first + count and definition.last >= first:
                yield lines, definition


def _inside_functions(edit: Edit, base: Tree, head: Tree) -> bool:
    old = (base.function_at(edit.old, edit.old_first + at) for at in range(len(edit.minus)))
    new = (head.function_at(edit.new, edit.new_first + at) for at in range(len(edit.plus)))
    return all(old) and all(new)


def _take(found: _Found, edit: Edit, definition: Definition, lines: list[str]) -> None:
    kind = definition.kind
    if kind in _STRONG:
        found.strong |= definition.names
    if _changes_layout(kind, lines):
        found.layouts.add(edit.id)
        found.classes.update(dict.fromkeys(definition.names if kind == "class" else (), edit.id))
    names = _parts(found, kind, lines)
    if kind != "class":  # its name stands in every line that uses an object of it
        names |= definition.names
        for name in definition.names:
            found.types.setdefault(name, edit.id)
    for name in names:
        found.edits.setdefault(name, edit.id)


def _parts(found: _Found, kind: str, lines: list[str]) -> set[str]:
    """Return the members and methods in `lines`, constants among them noted as strong."""
    if kind == "enum":
        found.strong |= _members(lines)
    if kind not in ("class", "struct"):
        return _members(lines) if kind in ("union", "enum") else set()
    constant = [line for line in lines if re.search(r"\b(?:enum|const|constexpr)\b", line)]
    found.strong |= _members(constant)
    return _members(lines) | _methods(lines)


def _changes_layout(kind: str, lines: list[str]) -> bool:
    if kind == "macro":
        return any(map(_declares_members, lines))
    return kind in ("class", "struct", "union") and any(
        (_FIELD.match(line) or _RUST_MEMBER.match(line)) and line.strip() != "};" for line in lines
    )


def _declares_members(line: str) -> bool:
    """Return whether a line of a macro is nothing but declarations, the head of a struct's."""
    body = _MACRO_HEAD.sub("", line, count=1).rstrip().removesuffix("\\")
    parts = [part for part in body.split(";") if part.strip()]
    return ";" in body and bool(parts) and all(map(_DECLARATION.fullmatch, parts))


def _members(lines: Iterable[str]) -> set[str]:
    names: set[str] = set()
    for line in lines:
        for pattern in (_MEMBER, _RUST_MEMBER, _CLASS_CONSTANT):
            if found := pattern.match(line):
                names.add(found[1])
        if _ENUM_LINE.fullmatch(line):
            names.update(_ENUM_NAME.findall(line.strip().rstrip(",")))
        if found := _ENUM_BODY.search(line):
            names.update(_ENUM_NAME.findall(found[1].strip()))
    return names - KEYWORDS


def _methods(lines: Iterable[str]) -> set[str]:
    return {name for line in lines for name in _METHOD.findall(line)} - KEYWORDS


def _close(found: _Found, every: Sequence[Definition]) -> None:
    """Add the definitions that mention a changed one, and so on."""
    for _ in range(_ROUNDS):
        added: dict[str, int] = {}
        for definition in every:
            if definition.kind == "class" or definition.names <= found.types.keys():
                continue
            through = next((n for n in sorted(definition.mentions) if n in found.types), None)
            if through:
                for name in definition.names - found.types.keys():
                    added.setdefault(name, found.types[through])
        if not added:
            return
        found.types.update(added)
        for name, edit in added.items():
            found.edits.setdefault(name, edit)


def names_in(line: str) -> list[str]:
    """Return the names that a line mentions, in order."""
    return [name for name in WORD.findall(line) if name not in KEYWORDS]
