"""What ran in an ask, and what of it the diff touches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from countci.explaining.attributing import Costs, Place
from countci.explaining.causes.facts import Changes, Machine, Ran
from countci.explaining.causes.group import SourceFunction
from countci.explaining.question import Question
from countci.explaining.sources import Tree, names_in, outside


def edits_that_ran(sides: tuple[Costs, Costs]) -> frozenset[int]:
    """Return the edits that something was executed on, on either side."""
    return frozenset(place.edit for _, place, _ in places(sides) if place.edit is not None)


def ran(
    question: Question,
    changes: Changes,
    code: Machine,
    sides: tuple[Costs, Costs],
    trees: tuple[Tree, Tree],
) -> Ran:
    """Return what ran in an ask."""
    compiled_in: dict[str, Counter[SourceFunction]] = defaultdict(Counter)
    uses: dict[str, Counter[int]] = defaultdict(Counter)
    reads: dict[SourceFunction, Counter[int]] = defaultdict(Counter)
    handles: dict[str, Counter[int]] = defaultdict(Counter)
    project = set(code.either)
    for function, place, cost in places(sides):
        if not outside(place.file):
            project.add(function)
        for touched in _touched(place, changes, trees[1]):
            compiled_in[function][touched] += round(cost)
        edit = _used(place, changes, trees[1])
        if edit is not None:
            uses[function][edit] += round(cost)
            around = trees[1].function_at(place.file, place.line)
            if around is not None:
                reads[SourceFunction(place.file, around.name)][edit] += round(cost)
        edit = _handled(function, place, changes, trees[1])
        if edit is not None:
            handles[function][edit] += round(cost)
    functions = frozenset(name for side in sides for name in side.functions)
    return Ran(
        edits=edits_that_ran(sides),
        functions=functions,
        on_edits=frozenset(f for f, place, _ in places(sides) if _live(place, changes)),
        compiled_in=compiled_in,
        uses=uses,
        reads=reads,
        alive=_alive(sides[1], changes, trees[1]),
        handles=handles,
        start_up=_start_up(question, changes, trees, functions),
        project=frozenset(project),
    )


def _alive(side: Costs, changes: Changes, head: Tree) -> frozenset[SourceFunction]:
    every = (_touched(place, changes, head) for _, place, _ in places((side,)))
    return frozenset(function for functions in every for function in functions)


def places(sides: Iterable[Costs]) -> Iterator[tuple[str, Place, float]]:
    """Yield machine function, place and own cost; where something is called at least."""
    for side in sides:
        for function, own in side.own.items():
            for place, cost in own.items():
                yield function, place, cost
        for function, calls in side.calls.items():
            for call in calls:
                yield function, call.place, 0.0


def _live(place: Place, changes: Changes) -> bool:
    return place.edit is not None and place.edit not in changes.inert


def _touched(place: Place, changes: Changes, head: Tree) -> tuple[SourceFunction, ...]:
    """Return the changed functions that a place belongs to."""
    if place.edit is not None:
        named = SourceFunction(place.file, place.function)
        return (named,) if named in changes.edits_of else changes.functions_of.get(place.edit, ())
    found = head.function_at(place.file, place.line)
    function = SourceFunction(place.file, found.name if found else "")
    return (function,) if function in changes.edits_of else ()


def _used(place: Place, changes: Changes, head: Tree) -> int | None:
    """Return the edit of the macro, table or constant that a line names."""
    if place.edit is not None or not changes.names.edits:
        return None
    strong = changes.names.strong_edits
    for name in names_in(head.line(place.file, place.line)):
        if changes.names.edits.get(name) in strong:
            return changes.names.edits[name]
    return None


def _handled(function: str, place: Place, changes: Changes, head: Tree) -> int | None:
    """Return the edit of the type that a line mentions, or whose method it is in."""
    shapes = changes.names.shapes
    if not shapes:
        return None
    line = "" if place.edit is not None else head.line(place.file, place.line)
    found = (shapes[name] for name in names_in(f"{line} {function}") if name in shapes)
    return next(found, None)


def _start_up(
    question: Question,
    changes: Changes,
    trees: tuple[Tree, Tree],
    functions: frozenset[str],
) -> Counter[SourceFunction]:
    """Return the changed functions that ran, but in no ask; by how many of their lines."""
    found: Counter[SourceFunction] = Counter()
    for side, tree in zip((question.base, question.head), trees, strict=True):
        for row in side.graph.start_up:
            function = tree.function_at(row.file, row.line)
            if function is None or row.function in functions:
                continue
            file = row.file
            if side is question.base:
                file = changes.lines.new(row.file, row.line).file
            if SourceFunction(file, function.name) in changes.edits_of:
                found[SourceFunction(file, function.name)] += 1
    return found
