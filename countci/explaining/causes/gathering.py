"""The two sides and their diff, put together to facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from countci.counting import CostGraph
from countci.explaining.attributing import Costs, attribute, costs, rename, renamed
from countci.explaining.causes.changes import Reading, changes
from countci.explaining.causes.facts import Changes, Facts, Machine, Ran
from countci.explaining.causes.machine import machine, using_data
from countci.explaining.causes.placing import Placing
from countci.explaining.causes.ran import edits_that_ran, ran
from countci.explaining.causes.splitting import split
from countci.explaining.causes.successors import Successors
from countci.explaining.diff import Diff, LineMap, parse
from countci.explaining.question import Question
from countci.explaining.sources import Tree, included, is_source, outside
from countci.explaining.symbols import is_allocator


def gather(question: Question) -> Facts:
    """Return all that is known of a difference, before its parts are put down to causes."""
    trees = (Tree(question.base.source), Tree(question.head.source))
    diff = split(parse(question.diff), trees)
    lines = LineMap(diff)
    successors = Successors(diff, lines, trees)
    sides = _costs(question, Placing(diff, lines, trees[1], successors))
    names = renamed(*sides)
    sides = (rename(sides[0], names), sides[1])
    reading = Reading(diff=diff, lines=lines, trees=trees, successors=successors)
    changed = changes(reading, edits_that_ran(sides), lambda: _files(diff, sides, trees[1]))
    code = machine(question, names, changed, sides)
    seen = ran(question, changed, code, sides, trees)
    code = using_data(code, changed, seen)
    touched = _touched(changed, code, seen)
    return Facts(
        sides=(question.base, question.head),
        trees=trees,
        changes=changed,
        machine=code,
        ran=seen,
        touched=touched,
        attribution=attribute(*sides, touched, _opaque(seen)),
        totals=question.totals or (_ask(question.base.graph), _ask(question.head.graph)),
    )


def _costs(question: Question, placing: Placing) -> tuple[Costs, Costs]:
    base = costs(question.base.graph, placing.of_base)
    return base, costs(question.head.graph, placing.of_head)


def _files(diff: Diff, sides: Iterable[Costs], head: Tree) -> tuple[str, ...]:
    """Return the files of head in which a definition may mention another one."""
    files = {edit.new for edit in diff.edits if is_source(edit.new)}
    for side in sides:
        for own in side.own.values():
            files.update(place.file for place in own if not outside(place.file))
    return included(head, files)


def _touched(changes: Changes, code: Machine, seen: Ran) -> frozenset[str]:
    """Return the machine functions whose inner changes are looked at."""
    touched = {name for name in seen.functions if is_allocator(name)}
    touched |= seen.on_edits | code.differs | code.literals
    if not code.known and changes.edits_of:
        touched |= seen.compiled_in.keys()
    return frozenset(touched)


def _opaque(seen: Ran) -> Callable[[str, str], bool]:
    """Return what keeps a library function a black box although it calls malloc."""
    return lambda caller, callee: caller not in seen.project and is_allocator(callee)


def _ask(graph: CostGraph) -> float:
    return graph.total / graph.asks
