"""Constructed changes of macros, tables, constants and types, in headers that never run."""

from __future__ import annotations

from dataclasses import replace

from countci.model import CauseKind
from tests.unit.explaining.programs import Body, Program, Version, explained

HEADER = """\
#define lua_assert(c) ((void)0)
#define api_check(c) lua_assert(c)

struct node {
    int kind;
    struct node *next;
};

static const int depth_of[] = {
    4, 8, 16,
};

class Pool {
    enum { SIZE = 112 };
    void grow();
};
"""
CODE = """\
#include "run.h"

int search(int level) {
    return depth_of[level];
}

int check(int x) {
    api_check(x);
    return x;
}

struct node *make(void) {
    struct node *made = malloc(sizeof(struct node));
    made->kind = 1;
    return made;
}

void grow(void) {
    take(Pool::SIZE);
}

int main(void) {
    search(1); check(2);
    make(); grow();
    return 0;
}
"""
C = "src/run.c"
PROGRAM: Program = {
    "main": Body(
        file=C,
        own={"search(1)": 10},
        calls={
            "search(1)": [("search", 30), ("check", 30)],
            "make(); grow()": [("make", 30), ("grow", 30)],
        },
    ),
    "search": Body(file=C, own={"depth_of[level]": 40}),
    "check": Body(file=C, own={"return x": 4}),
    "make": Body(file=C, own={"made->kind": 6}, calls={"malloc(": [("malloc", 1)]}),
    "grow": Body(file=C, own={"void grow": 5}, calls={"take(": [("take", 1)]}),
    "take": Body(own={0: 50}),
    "malloc": Body(own={0: 70}),
}
BASE = Version(files={C: CODE, "src/run.h": HEADER}, program=PROGRAM)


def head(old: str, new: str, program: Program, *changed: str) -> Version:
    assert old in HEADER
    return replace(
        BASE,
        files={C: CODE, "src/run.h": HEADER.replace(old, new)},
        program={**PROGRAM, **program},
        changed=frozenset(changed),
    )


def test_a_macro_is_named_for_the_lines_that_use_it_through_another_one() -> None:
    check = Body(file=C, own={"return x": 4, "api_check(x)": 20})

    found = explained(BASE, head("((void)0)", "assert(c)", {"check": check}, "check"))

    [cause] = found.causes
    assert (cause.kind, cause.title) == (CauseKind.DEFINITION, "lua_assert")
    assert cause.details == ("used in check (+600)",)
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/run.h:1", False)
    assert found.blame.source == "#define lua_assert(c) assert(c)"


def test_a_table_is_named_for_unchanged_code_that_runs_longer() -> None:
    """No instruction differs: without a look at what lines name, other data would be proven."""
    search = Body(file=C, own={"depth_of[level]": 90})

    found = explained(BASE, head("4, 8, 16", "4, 8, 64", {"search": search}))

    [cause] = found.causes
    assert (cause.kind, cause.title) == (CauseKind.DEFINITION, "depth_of")
    assert found.blame is not None
    assert found.blame.hunk.text == "src/run.h:10"
    assert not found.blame.sure


def test_a_table_of_the_same_bytes_is_not_named() -> None:
    search = Body(file=C, own={"depth_of[level]": 90})
    same = {"depth_of": "0b5fa1d0"}
    after = head("4, 8, 16", "4, 8, 0x10", {"search": search})

    found = explained(replace(BASE, objects=same), replace(after, objects=same))

    assert found.blame is None
    assert found.causes[0].kind is CauseKind.SAME_CODE


def test_a_constant_of_a_class_is_named_for_the_line_that_uses_it() -> None:
    grow = Body(file=C, own={"void grow": 5}, calls={"take(": [("take", 4)]})

    found = explained(BASE, head("SIZE = 112", "SIZE = 28", {"grow": grow}, "grow"))

    [cause] = found.causes
    assert (cause.kind, cause.title) == (CauseKind.DEFINITION, "SIZE")
    assert cause.details == ("take +4.50k: 90 more calls an ask", "used in grow (+4.50k)")
    assert found.blame is not None
    assert found.blame.hunk.text == "src/run.h:14"


def test_a_type_of_another_size_is_named_for_what_malloc_costs_more() -> None:
    after = head("int kind;", "int kind;\n    int flags;", {"malloc": Body(own={0: 90})}, "make")

    found = explained(BASE, after)

    [cause] = found.causes
    assert (cause.kind, cause.title) == (CauseKind.ALLOCATOR, "malloc and free themselves")
    assert cause.hunks == ()
    assert cause.details == ("a type has another size: node (src/run.h:6)",)
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/run.h:6", False)
    assert found.blame.title == "node"
    assert found.blame.words == "a type of another size is allocated"


def test_more_calls_of_malloc_on_a_changed_line_come_before_a_changed_type() -> None:
    after = head("int kind;", "int kind;\n    int flags;", {"malloc": Body(own={0: 90})}, "make")
    make = replace(PROGRAM["make"], calls={"malloc(sizeof(struct node) + 0)": [("malloc", 2)]})
    code = CODE.replace("sizeof(struct node)", "sizeof(struct node) + 0")
    after = replace(
        after,
        files={**after.files, C: code},
        program={**after.program, "make": make},
    )

    found = explained(BASE, after)

    assert found.blame is not None
    assert found.blame.hunk.text == "src/run.c:13"


def test_a_table_is_named_although_the_code_beside_it_was_changed_too() -> None:
    """`main` runs on other machine code; what `search` costs more is still the table's."""
    search = Body(file=C, own={"depth_of[level]": 90})
    after = head("4, 8, 16", "4, 8, 64", {"search": search}, "main")
    files = {**after.files, C: CODE.replace("return 0;", "return 1;")}
    base = replace(BASE, objects={"depth_of": "0b5fa1d0"})
    after = replace(after, files=files, objects={"depth_of": "77e0a9c1"})

    found = explained(base, after)

    assert [(cause.kind, cause.title) for cause in found.causes] == [
        (CauseKind.DEFINITION, "depth_of")
    ]
    assert found.blame is not None
    assert found.blame.hunk.text == "src/run.h:10"


def test_a_type_of_another_size_is_named_for_the_functions_that_handle_it() -> None:
    make = Body(file=C, own={"made->kind": 300}, calls={"malloc(": [("malloc", 1)]})
    larger = "    int kind;\n    char room[99];\n"

    found = explained(BASE, head("    int kind;\n", larger, {"make": make}, "make"))

    [cause] = found.causes
    assert (cause.kind, cause.title) == (CauseKind.DEFINITION, "node")
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/run.h:6", False)
