"""What may be named for a cost: what its function contains, calls or reads; nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from countci.explaining import Question
from countci.explaining.causes import Part, gather, judge
from countci.explaining.symbols import plain
from countci.model import CauseKind
from tests.unit.explaining.programs import Body, Version, diff

C, H = "run.c", "run.h"
FUNCTIONS = ("f0", "f1", "f2", "f3")
DATA = ("WIDE", "HIGH", "DEEP")
RUNS = st.sampled_from([True, False])
READS = st.sampled_from([(), *((name,) for name in DATA)])


@st.composite
def sides(draw: st.DrawFn) -> tuple[Version, Version]:
    """Return two versions of one program, of which some functions and macros are changed."""
    calls: dict[str, tuple[str, ...]] = {}
    for number, name in enumerate(FUNCTIONS):
        later = FUNCTIONS[number + 1 :]
        calls[name] = ()
        if draw(RUNS) and later:
            calls[name] = (draw(st.sampled_from(later)),)
    reads = {name: draw(READS) for name in FUNCTIONS}
    new = draw(st.sets(st.sampled_from([*FUNCTIONS, *DATA])))
    versions = []
    for changed in (frozenset[str](), new):
        code = "".join(
            _function(name, calls[name], reads[name], changed=name in changed) for name in FUNCTIONS
        )
        code += "int main(void) {\n    return f0(1);\n}\n"
        header = "".join(f"#define {name} {1 + (name in changed)}\n" for name in DATA)
        program = {"main": Body(file=C, own={"return f0": 5}, calls={"return f0": [("f0", 9)]})}
        for name in FUNCTIONS:
            lines = [f"{name} starts", *(f"{name} reads {each}" for each in reads[name])]
            lines += [f"{other} starts" for other in FUNCTIONS if draw(RUNS)]
            own: dict[str | int, int] = {
                line: draw(st.integers(1, 90)) for line in dict.fromkeys(lines) if draw(RUNS)
            }
            if draw(RUNS):
                own[f"{name} adds"] = draw(st.integers(1, 90))
            called: dict[str | int, Sequence[tuple[str, int]]] = {}
            if draw(RUNS) and calls[name]:
                called[f"{name} calls"] = [(each, draw(st.integers(1, 9))) for each in calls[name]]
            program[name] = Body(file=C, own=own, calls=called)
        versions.append(
            Version(
                files={C: code, H: header},
                program=program,
                changed=frozenset(FUNCTIONS if changed else ()),
            )
        )
    return versions[0], versions[1]


def _function(name: str, calls: tuple[str, ...], reads: tuple[str, ...], *, changed: bool) -> str:
    lines = [f"int {name}(int x) {{", f"    x += 1;  // {name} starts"]
    lines += [f"    x += {each};  // {name} reads {each}" for each in reads]
    lines += ["    x *= 3;", "    x -= 4;", "    x /= 5;", "    x ^= 6;", "    x |= 7;"]
    lines += [f"    x += {each}(x);  // {name} calls" for each in calls]
    lines += [f"    x += {2 + changed};  // {name} adds", "    return x;", "}", ""]
    return "\n".join(lines)


def contained(versions: tuple[Version, Version], function: str) -> set[str]:
    """Return the functions of the sources whose lines a machine function has, on either side.

    What it calls is its own where that runs on one side only: it was inlined, or is not reached.
    """
    found = set()
    for version, other in (versions, versions[::-1]):
        ran = version.program[function]
        found |= {str(line).split()[0] for line in ran.own}
        for callee in {name for calls in ran.calls.values() for name, _ in calls}:
            if callee not in {row.function for row in other.side.graph.own}:
                found |= contained(versions, callee)
    return found


def body(version: Version, function: str) -> str:
    return version.files[C].partition(f"int {function}(")[2].partition("\n}\n")[0]


def belongs(part: Part, versions: tuple[Version, Version], names: Mapping[int, str]) -> bool:
    """Return whether what a part is put down to is in its function, called or read there."""
    function = plain(part.item.function)
    inside = {function} | contained(versions, function)
    text = "".join(body(each, name) for each in versions for name in inside)
    if part.group.function is not None:
        name = part.group.function.name
        return name in inside or f"{name}(" in text
    return part.group.edit is None or names[part.group.edit] in text


@settings(max_examples=60, deadline=None)
@given(sides())
def test_no_cause_names_what_the_function_neither_contains_nor_uses(
    versions: tuple[Version, Version],
) -> None:
    base, head = versions
    text = diff(base.files, head.files)
    facts = gather(Question(query="q", base=base.side, head=head.side, diff=text))
    names = {edit.id: " ".join(edit.plus).split()[1] for edit in facts.changes.edits}

    found = judge(facts)

    parts = [part for group in found.groups for part in group.parts]
    assert all(belongs(part, versions, names) for part in parts)
    for group in found.groups:
        if group.group.kind is CauseKind.CHANGED and group.delta > 0:
            assert group.group.function is not None
            assert group.group.function in facts.ran.alive
