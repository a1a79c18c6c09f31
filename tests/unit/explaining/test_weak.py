"""Differences behind which a hunk is likely, and no more than that."""

from __future__ import annotations

from dataclasses import replace

from countci.model import Blame, CauseKind, Explanation
from tests.unit.explaining.programs import Body, Program, Version, explained

CODE = """\
char *make(int size) {
    char *made = malloc(size);
    made[0] = 0;
    return made;
}

int walk(void) {
    int sum = 0;
    sum += far;
    return sum;
}

int far_away(int x) {
    x += 1;
    x += 2;
    return x;
}

int main(void) {
    make(8);
    walk(); far_away(1);
}
"""
C = "src/make.c"
MADE = Body(file=C, own={"made[0]": 6}, calls={"malloc(": [("malloc", 1)]})
PROGRAM: Program = {
    "main": Body(
        file=C,
        own={"make(8)": 10},
        calls={"make(8)": [("make", 30)], "walk();": [("walk", 30), ("far_away", 30)]},
    ),
    "make": MADE,
    "walk": Body(file=C, own={"sum += far": 12}),
    "far_away": Body(file=C, own={"x += 2": 12}),
    "malloc": Body(own={0: 70}),
}
BASE = Version(files={C: CODE}, program=PROGRAM)


def head(text: str, program: Program, *changed: str) -> Version:
    return replace(
        BASE, files={C: text}, program={**PROGRAM, **program}, changed=frozenset(changed)
    )


def likely(found: Explanation) -> Blame:
    assert found.blame is not None
    assert not found.blame.sure
    return found.blame


def test_other_sizes_on_a_changed_line_are_behind_a_dearer_malloc() -> None:
    text = CODE.replace("malloc(size)", "malloc(size * 9)")

    found = explained(BASE, head(text, {"malloc": Body(own={0: 120})}, "make"))

    assert found.causes[0].kind is CauseKind.ALLOCATOR
    assert found.causes[0].details == ("other sizes are asked for: make (src/make.c:2)",)
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/make.c:2", True)  # both rules
    assert found.blame.words == "other sizes are allocated"


def test_more_calls_on_a_changed_line_are_behind_a_dearer_malloc() -> None:
    text = CODE.replace("malloc(size)", "twice(malloc(size))")
    made = replace(MADE, calls={"malloc(": [("malloc", 2)]})

    found = explained(BASE, head(text, {"make": made, "malloc": Body(own={0: 150})}, "make"))

    assert [cause.kind for cause in found.causes] == [CauseKind.ALLOCATOR, CauseKind.CHANGED]
    assert found.blame is not None
    assert found.blame.hunk.text == "src/make.c:2"
    assert found.causes[1].details == ("malloc +2.10k: 30 more calls an ask",)


def test_a_dearer_malloc_without_any_call_on_a_changed_line_names_the_next_best() -> None:
    text = CODE.replace("sum += far", "sum += far + 1")
    walk = Body(file=C, own={"sum += far": 14})

    found = explained(BASE, head(text, {"walk": walk, "malloc": Body(own={0: 90})}, "walk"))

    assert likely_or_sure(found) == "src/make.c:9"
    assert found.causes[0].details == (
        "other calls leave another state of the heap: walk (src/make.c:9)",
    )


def likely_or_sure(found: Explanation) -> str:
    assert found.blame is not None
    return found.blame.hunk.text


def test_a_change_of_a_third_of_what_nobody_explains_is_named_as_likely() -> None:
    text = CODE.replace("int sum", "long sum")
    program = {
        "walk": Body(file=C, own={"sum += far": 18}),
        "far_away": Body(file=C, own={"x += 2": 24}),
    }

    found = explained(BASE, head(text, program, "walk", "far_away"))

    assert [cause.kind for cause in found.causes] == [
        CauseKind.COMPILED_DIFFERENTLY,
        CauseKind.CHANGED,
    ]
    assert likely(found).hunk.text == "src/make.c:8"
    assert likely(found).words == "nearest change of some weight"


def test_a_smaller_change_is_not_named_for_what_nobody_explains() -> None:
    text = CODE.replace("int sum", "long sum")
    program = {
        "walk": Body(file=C, own={"sum += far": 13}),
        "far_away": Body(file=C, own={"x += 2": 24}),
    }

    assert explained(BASE, head(text, program, "walk", "far_away")).blame is None


def test_what_lies_below_an_if_of_the_preprocessor_may_be_gone_without_being_removed() -> None:
    """The lines are the same; whether they are compiled isn't."""
    text = CODE.replace("    x += 1;", "#ifdef WIDE\n    x += 1;\n#endif")
    far: dict[str | int, int] = {"x += 1": 9, "x += 2": 12}
    before = replace(BASE, program={**PROGRAM, "far_away": Body(file=C, own=far)})

    found = explained(before, head(text, {}, "far_away"))

    assert found.causes[0].title == "far_away"
    assert likely(found).hunk.text == "src/make.c:14"
