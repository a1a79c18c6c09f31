"""What holds for every explanation, whatever the two sides are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countci.explaining import Question, explain
from countci.model import CauseKind
from tests.unit.explaining.attributing.test_attribution import NAMES, programs
from tests.unit.explaining.programs import Body, Program, Version, diff, explained

LINES = [
    "int main(void) {",
    "int a(int x) {",
    "    return b(x) + malloc(8);",
    "    x += LIMIT;",
    "}",
    "#define LIMIT 3",
    "#if WIDE",
    "#endif",
    "static const int table[] = { 1, 2, LIMIT };",
    "    x = table[x] * 1.5;",
    "struct s { int x; };",
    "/* a comment",
    "*/",
    "",
]


@st.composite
def versions(draw: st.DrawFn) -> tuple[Version, Version]:
    """Two programs that have nothing to do with each other, or with their sources."""
    found = []
    readable = draw(st.booleans())
    for _ in range(2):
        text = "\n".join(draw(st.lists(st.sampled_from(LINES), max_size=60)))
        changed = frozenset(draw(st.sets(st.sampled_from(NAMES))))
        program: Program = draw(programs())
        producer = draw(st.sampled_from(["GNU C17 12.2.0 -O2", "clang version 14 -O2"]))
        found.append(
            Version(
                files={"x.c": text},
                program=program,
                changed=changed,
                producer=producer,
                readable=readable,
            )
        )
    return found[0], found[1]


@settings(max_examples=40)
@given(versions())
def test_causes_and_rest_are_the_whole_difference(sides: tuple[Version, Version]) -> None:
    found = explained(*sides)

    whole = found.head - found.base
    assert math.isclose(
        sum(cause.delta for cause in found.causes) + found.rest, whole, abs_tol=0.01
    )
    assert all(abs(cause.delta) >= 0.04 * abs(whole) for cause in found.causes)
    assert len(found.causes) <= 5


@settings(max_examples=40)
@given(versions())
def test_a_hunk_that_is_named_lies_in_head(sides: tuple[Version, Version]) -> None:
    found = explained(*sides)

    last = sides[1].files["x.c"].count("\n") + 1
    hunks = [hunk for cause in found.causes for hunk in cause.hunks]
    for hunk in [*hunks, *([found.blame.hunk] if found.blame else [])]:
        assert hunk.file == "x.c"
        assert 1 <= hunk.first <= hunk.last <= last


@settings(max_examples=40)
@given(versions())
def test_caused_by_is_said_only_when_sure(sides: tuple[Version, Version]) -> None:
    found = explained(*sides)

    says_so = any("caused by" in cause.words for cause in found.causes)
    sure = found.blame is not None and found.blame.sure
    assert sure or not says_so
    assert sides[0].readable or not sure


@settings(max_examples=40)
@given(versions())
def test_a_side_against_itself_has_no_cause(sides: tuple[Version, Version]) -> None:
    found = explained(sides[0], sides[0])

    assert (found.causes, found.blame, found.rest) == ((), None, 0)
    assert (found.functions, found.lines) == ((), ())


def test_totals_that_were_counted_elsewhere_show_what_the_graphs_leave() -> None:
    """Callgrind and cachegrind agree; where they don't, the rest says by how much."""
    program: Program = {"main": Body(file="x.c", own={1: 10})}
    version = Version(files={"x.c": "int main(void) {\n}"}, program=program)
    dearer = Version(files=version.files, program={"main": Body(file="x.c", own={1: 30})})

    found = explain(
        Question(
            query="suite/query",
            base=version.side,
            head=dearer.side,
            diff=diff(version.files, dearer.files),
            totals=(10.0, 35.0),
        )
    )

    assert (found.base, found.head) == (10.0, 35.0)
    assert sum(cause.delta for cause in found.causes) + found.rest == pytest.approx(25)
    assert found.rest == 5
    assert found.causes[0].kind is CauseKind.SAME_CODE
