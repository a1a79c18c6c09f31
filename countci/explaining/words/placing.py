"""Edits as hunks of head's tree, narrowed to the lines that matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from countci.explaining.causes import Facts
from countci.explaining.causes.flags import line_of_flags
from countci.explaining.causes.group import SourceFunction
from countci.model import Hunk

_LONG = 20
"""Lines; a longer hunk is narrowed."""
_MOST = 0.8
"""Of its cost."""


def hunk(facts: Facts, number: int, function: SourceFunction | None = None) -> Hunk:
    """Return the lines of an edit: those in `function`, and where they are many, those that cost.

    Lines that only moved are left out. Of removed code, the line before it.
    """
    edit = facts.changes.edits[number]
    if not edit.plus:
        line = max(1, edit.new_first)
        return Hunk(file=edit.new, first=line, last=line, removed=True)
    if (flag := line_of_flags(facts, number)) is not None:
        return Hunk(file=edit.new, first=flag, last=flag)
    first, last = edit.new_first, edit.new_last
    for each in facts.head.functions(edit.new):
        if function and each.name == function.name and each.first <= last and each.last >= first:
            first, last = max(first, each.first), min(last, each.last)
            break
    new = added(facts, number, first, last)
    if last - first >= _LONG or new:
        spent = costs(facts, edit.new, first, last)
        if new:
            first, last = new[0], new[-1]
            spent = {line: cost for line, cost in spent.items() if line in new}
        first, last = _shortest(spent) or (first, last)
    return Hunk(file=edit.new, first=first, last=last)


def added(facts: Facts, number: int, first: int, last: int) -> list[int]:
    """Return the lines of an edit that are new code, where others of it only moved there."""
    file, lines = facts.changes.edits[number].new, facts.changes.lines
    new = [line for line in range(first, last + 1) if lines.edit_of_new(file, line) == number]
    if len(new) == last - first + 1:
        return []
    return [line for line in new if any(map(str.isalnum, facts.head.line(file, line)))]


def costs(facts: Facts, file: str, first: int, last: int) -> Mapping[int, int]:
    """Return what each line of head costs in all asks together, calls from it included."""
    graph = facts.sides[1].graph
    found: dict[int, int] = defaultdict(int)
    for row, cost in graph.own.items():
        if row.file == file and first <= row.line <= last:
            found[row.line] += cost
    for edge, calls in graph.calls.items():
        if edge.row.file == file and first <= edge.row.line <= last:
            found[edge.row.line] += calls.inclusive
    return {line: cost for line, cost in found.items() if cost > 0}


def _shortest(costs: Mapping[int, int]) -> tuple[int, int] | None:
    """Return the shortest range of lines that holds most of the cost; the first of such."""
    lines = sorted(costs)
    wanted = _MOST * sum(costs.values())
    best: tuple[int, int] | None = None
    start, inside = 0, 0
    for line in lines:
        inside += costs[line]
        while inside - costs[lines[start]] >= wanted:
            inside -= costs[lines[start]]
            start += 1
        if inside >= wanted and (best is None or line - lines[start] < best[1] - best[0]):
            best = (lines[start], line)
    return best
