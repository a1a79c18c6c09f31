"""What the diff changes, as the sources of both sides tell."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from countci.explaining.causes.facts import Changes
from countci.explaining.causes.group import SourceFunction
from countci.explaining.causes.successors import Successors
from countci.explaining.diff import Diff, Edit, LineMap
from countci.explaining.sources import Tree, asserts_only, changed_names, inert
from countci.explaining.symbols import plain

_LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|\b\d+\.\d*\w*')


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A diff, and the sources of both sides."""

    diff: Diff
    lines: LineMap
    trees: tuple[Tree, Tree]
    successors: Successors


def changes(reading: Reading, ran: frozenset[int], files: Callable[[], Iterable[str]]) -> Changes:
    """Return what a diff changes.

    Args:
        reading: the diff and the sources.
        ran: edits that have cost.
        files: gives those of head where definitions that mention a changed one may be.
    """
    diff = reading.diff
    base, head = reading.trees
    quiet = frozenset(
        edit.id
        for edit in diff.edits
        if inert(edit, base, head) or (edit.id not in ran and asserts_only(edit, base, head))
    )
    live = [edit for edit in diff.edits if edit.id not in quiet]
    functions_of = {edit.id: _functions(edit, head, reading.successors) for edit in live}
    edits_of: dict[SourceFunction, list[int]] = defaultdict(list)
    for number, functions in functions_of.items():
        for function in functions:
            edits_of[function].append(number)
    return Changes(
        diff=diff,
        lines=reading.lines,
        inert=quiet,
        functions_of=functions_of,
        edits_of={function: tuple(edits) for function, edits in edits_of.items()},
        by_name=_by_name(edits_of),
        removed_below={(edit.new, edit.new_first): edit.id for edit in live if not edit.plus},
        names=changed_names(live, base, head, files),
        directives=_having(live, lambda edit: any(re.match(r"\s*#", t) for t in edit.lines)),
        literals=_having(live, lambda edit: _literals(edit, base, 0) != _literals(edit, head, 1)),
    )


def _functions(edit: Edit, head: Tree, successors: Successors) -> tuple[SourceFunction, ...]:
    """Return the functions that an edit touches, in order; those of removed code too."""
    found: dict[SourceFunction, None] = {}
    for step in range(len(edit.plus)):
        if function := head.function_at(edit.new, edit.new_first + step):
            found[SourceFunction(edit.new, function.name)] = None
    for step in range(len(edit.minus)):
        line = edit.old_first + step
        successor = successors.of(edit, line)
        if successor and successors.edit_of(edit, line) == edit.id:
            found[successor] = None
    return tuple(found)


def _by_name(functions: Iterable[SourceFunction]) -> Mapping[str, tuple[SourceFunction, ...]]:
    result: dict[str, list[SourceFunction]] = defaultdict(list)
    for function in functions:
        result[plain(function.name)].append(function)
    return {name: tuple(sorted(every)) for name, every in result.items()}


def _having(edits: Iterable[Edit], test: Callable[[Edit], bool]) -> frozenset[int]:
    return frozenset(edit.id for edit in edits if test(edit))


def _literals(edit: Edit, tree: Tree, side: int) -> list[str]:
    if side == 0:
        lines = tree.code(edit.old, edit.old_first, len(edit.minus))
    else:
        lines = tree.code(edit.new, edit.new_first, len(edit.plus))
    return sorted(_LITERAL.findall("\n".join(lines)))
