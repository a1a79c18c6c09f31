"""Edits that can't change what runs: comments, spaces, other files than sources."""

from __future__ import annotations

import re
from collections.abc import Iterable

from countci.explaining.diff import Edit
from countci.explaining.sources.language import is_source
from countci.explaining.sources.tree import Tree

_ASSERT = re.compile(r"\b(?:static_|debug_)?assert\w*!?\([^;]*;")


def inert(edit: Edit, base: Tree, head: Tree) -> bool:
    """Return whether both sides are the same code."""
    if not is_source(edit.new):
        return True
    before, after = _both(edit, base, head)
    return _squeezed(before) == _squeezed(after) and _below(edit, base, head)


def asserts_only(edit: Edit, base: Tree, head: Tree) -> bool:
    """Return whether nothing but assertions differs: inert, unless they ran."""
    before, after = _both(edit, base, head)
    return _ASSERT.sub("", _squeezed(before)) == _ASSERT.sub("", _squeezed(after))


def _both(edit: Edit, base: Tree, head: Tree) -> tuple[Iterable[str], Iterable[str]]:
    # The whole file tells what lies inside a comment; an edit alone doesn't.
    before = base.code(edit.old, edit.old_first, len(edit.minus))
    after = head.code(edit.new, edit.new_first, len(edit.plus))
    return before, after


def _below(edit: Edit, base: Tree, head: Tree) -> bool:
    """Return whether the next line is the same code: no comment was opened or closed."""
    old = base.code(edit.old, edit.old_first + len(edit.minus) + (not edit.minus), 1)
    new = head.code(edit.new, edit.new_first + len(edit.plus) + (not edit.plus), 1)
    return _squeezed(old) == _squeezed(new)


def _squeezed(lines: Iterable[str]) -> str:
    return "".join("".join(lines).split())
