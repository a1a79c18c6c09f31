"""Differences that no hunk is to blame for: said in plain words, and never guessed."""

from __future__ import annotations

from dataclasses import replace

from countci.counting import Row
from countci.model import CauseKind, Explanation
from tests.unit.explaining.programs import GCC, Body, Program, Version, explained

CODE = """\
static int strequal(const char *a, const char *b) {
    return strcmp(a, b);
}

int eval(void) {
    int equal = strequal("a", "b");
    equal += 1;
    return equal;
}

char *escape(const char *s) {
    return append(s);
}

void prepare(void) {
    table = 1;
}

int main(void) {
    prepare();
    eval(); escape("x");
}
"""
C = "src/eval.c"
PROGRAM: Program = {
    "main": Body(file=C, own={"eval();": 10}, calls={"eval();": [("eval", 20), ("escape", 10)]}),
    "eval": Body(
        file=C, own={"equal += 1": 10, "int eval": 2}, calls={"int equal": [("strequal", 5)]}
    ),
    "strequal": Body(file=C, own={"strcmp(": 20}),
    "escape": Body(file=C, own={"append(s)": 15}, calls={"append(s)": [("memcpy", 3)]}),
    "memcpy": Body(file="/build/glibc/memcpy.S", own={300: 40}),
    "malloc": Body(own={0: 70}),
}
FILES = {C: CODE, "README.md": "text"}
BASE = Version(files=FILES, program=PROGRAM)


def head(program: Program, *changed: str, text: str = CODE) -> Version:
    return replace(
        BASE,
        files={C: text, "README.md": "other text"},
        program={**PROGRAM, **program},
        changed=frozenset(changed),
    )


def nobody(found: Explanation) -> Explanation:
    assert found.blame is None
    assert all(cause.hunks == () for cause in found.causes)
    return found


def test_equal_sides_have_no_cause() -> None:
    found = nobody(explained(BASE, head({})))

    assert (found.causes, found.rest, found.functions, found.lines) == ((), 0, (), ())


def test_other_flags_are_named_as_the_debug_information_has_them() -> None:
    strequal = Body(file=C, own={"strcmp(": 33})
    after = replace(head({"strequal": strequal}, *PROGRAM), producer=GCC.replace("-O2", "-Os"))

    [cause] = nobody(explained(BASE, after)).causes

    assert (cause.kind, cause.title) == (CauseKind.FLAGS, "compiler flags")
    assert cause.details == ("-O2 → -Os (from the debug information)",)


def test_the_line_of_a_build_file_that_changes_the_flag_is_likely() -> None:
    files = {"Makefile": "CC = gcc\nCFLAGS = -g -O2\n", "notes.md": "-O2 is fast\n"}
    strequal = Body(file=C, own={"strcmp(": 33})
    after = head({"strequal": strequal}, *PROGRAM)
    new = {"Makefile": "CC = cc\nCFLAGS = -g -Os\n", "notes.md": "-Os is small\n"}
    after = replace(after, files={**after.files, **new}, producer=GCC.replace("-O2", "-Os"))

    found = explained(replace(BASE, files={**FILES, **files}), after)

    assert [hunk.text for hunk in found.causes[0].hunks] == ["Makefile:2"]
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("Makefile:2", False)
    assert (found.blame.title, found.blame.source) == ("compiler flags", "CFLAGS = -g -Os")


def test_a_flag_that_is_gone_is_named_by_its_line_as_it_is_now() -> None:
    files = {"Makefile": "CFLAGS = -g -O2 -fwrapv\n"}
    after = replace(head({"strequal": Body(file=C, own={"strcmp(": 33})}, *PROGRAM), producer=GCC)
    after = replace(after, files={**after.files, "Makefile": "CFLAGS = -g -O2\n"})

    found = explained(
        replace(BASE, files={**FILES, **files}, producer=f"{GCC} -fwrapv"),
        after,
    )

    assert found.blame is not None
    assert found.blame.hunk.text == "Makefile:1"


def test_a_build_file_that_changes_another_flag_is_not_named() -> None:
    strequal = Body(file=C, own={"strcmp(": 33})
    after = replace(head({"strequal": strequal}, *PROGRAM), producer=GCC.replace("-O2", "-Os"))
    after = replace(after, files={**after.files, "Makefile": "LDFLAGS = -O2x -l-Os\n"})

    nobody(explained(replace(BASE, files={**FILES, "Makefile": "LDFLAGS =\n"}), after))


def test_what_is_no_longer_inlined_is_said() -> None:
    inlined = Body(file=C, own={"equal += 1": 10, "int eval": 2, "strcmp(": 60})
    before = replace(BASE, program={**PROGRAM, "eval": inlined})
    before = replace(before, program={k: v for k, v in before.program.items() if k != "strequal"})

    [cause] = nobody(explained(before, head({}, "eval"))).causes

    assert cause.delta == 20 * 40
    assert (cause.kind, cause.title, cause.words) == (CauseKind.INLINING, "eval", "not changed")
    assert cause.details == ("gcc no longer inlines strequal in eval",)


def test_a_function_that_lives_on_beside_its_inlined_copies_is_an_inlining_effect() -> None:
    """Two of five calls are left, so it exists on both sides."""
    now = Body(
        file=C,
        own={"equal += 1": 10, "int eval": 2, "strcmp(": 90},
        calls={"int equal": [("strequal", 2)]},
    )

    [cause] = nobody(explained(BASE, head({"eval": now}, "eval"))).causes

    assert (cause.kind, cause.title, cause.words) == (CauseKind.INLINING, "eval", "not changed")
    assert cause.details == ("gcc now inlines strequal in eval",)


def test_a_new_call_elsewhere_is_most_likely_behind_an_inlining_effect() -> None:
    now = Body(
        file=C,
        own={"equal += 1": 10, "int eval": 2, "strcmp(": 90},
        calls={"int equal": [("strequal", 2)]},
    )
    text = CODE.replace("table = 1;", 'table = strequal("b", "c");')

    found = explained(BASE, head({"eval": now}, "eval", text=text))

    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/eval.c:16", False)
    assert found.blame.words == "calls of strequal, which is inlined differently since"


def test_other_data_is_proven_when_all_code_of_an_ask_is_the_same() -> None:
    """The changed function runs in start-up, where the query makes its input."""
    text = CODE.replace("table = 1", "table = 2")
    after = head(
        {"eval": replace(PROGRAM["eval"], own={"equal += 1": 90, "int eval": 2})}, text=text
    )
    after = replace(after, start_up=(Row(C, "prepare", 16),))

    [cause] = nobody(explained(BASE, after)).causes

    assert (cause.kind, cause.title) == (CauseKind.SAME_CODE, "unchanged code, other data")
    assert cause.details == (
        "eval +1.60k: called as often as before",
        "every function that runs in an ask has the same machine code on both sides",
        "changed and run in start-up, where this query makes its input: prepare (src/eval.c:16)",
    )


def test_other_data_is_not_proven_when_the_bytes_of_a_table_differ() -> None:
    after = head({"eval": replace(PROGRAM["eval"], own={"equal += 1": 90, "int eval": 2})})

    found = explained(
        replace(BASE, objects={"entities": "1"}), replace(after, objects={"entities": "2"})
    )

    assert "the bytes of entities differ" in nobody(found).causes[0].details


def test_a_library_that_works_longer_lies_outside_of_the_diff() -> None:
    longer = Body(file="/build/glibc/memcpy.S", own={300: 80})

    [cause] = nobody(explained(BASE, head({"memcpy": longer}))).causes

    assert (cause.kind, cause.title) == (CauseKind.OUTSIDE, "outside the diff: memcpy")
    assert cause.details == (
        "memcpy +1.20k: called as often as before",
        "called from escape (src/eval.c:12)",
    )


def test_code_that_differs_far_from_any_change_is_compiled_differently() -> None:
    text = CODE.replace("table = 1", "table = 2")
    dearer = replace(PROGRAM["eval"], own={"equal += 1": 30, "int eval": 2})

    [cause] = nobody(explained(BASE, head({"eval": dearer}, "eval", text=text))).causes

    assert (cause.kind, cause.title) == (CauseKind.COMPILED_DIFFERENTLY, "compiled differently")
    assert cause.details == ("no changed line, name or flag explains it: eval (+400)",)


def test_comments_are_not_blamed_for_code_that_differs() -> None:
    text = CODE.replace("    equal += 1", "    // one more\n    equal += 1")
    dearer = replace(PROGRAM["eval"], own={"equal += 1": 30, "int eval": 2})

    [cause] = nobody(explained(BASE, head({"eval": dearer}, "eval", text=text))).causes

    assert cause.kind is CauseKind.COMPILED_DIFFERENTLY


def test_the_allocator_alone_is_the_state_of_the_heap() -> None:
    escape = replace(PROGRAM["escape"], calls={"append(s)": [("malloc", 3)]})
    base = replace(BASE, program={**PROGRAM, "escape": escape})

    [cause] = nobody(explained(base, head({"escape": escape, "malloc": Body(own={0: 90})}))).causes

    assert cause.kind is CauseKind.ALLOCATOR
    assert cause.details == ("same calls, other state of the heap",)


def test_without_the_machine_code_a_hunk_is_never_sure() -> None:
    text = CODE.replace("equal += 1", "equal += 3")
    dearer = replace(PROGRAM["eval"], own={"equal += 3": 30, "int eval": 2})
    after = replace(head({"eval": dearer}, "eval", text=text), readable=False)

    found = explained(replace(BASE, readable=False), after)

    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/eval.c:7", False)
    assert found.causes[0].words == "changed here"
    assert [note.code for note in found.notes] == ["unproven"]


def test_without_the_machine_code_untouched_code_is_not_called_unchanged() -> None:
    dearer = replace(PROGRAM["eval"], own={"equal += 1": 30, "int eval": 2})
    after = replace(head({"eval": dearer}), readable=False)

    [cause] = nobody(explained(replace(BASE, readable=False), after)).causes

    assert cause.title == "code that the diff doesn't touch"
    assert not any("machine code" in text for text in cause.details)


def dark(program: Program) -> Program:
    """Return a program of which only the functions are known."""
    return {
        name: Body(
            own={0: sum(body.own.values())},
            calls={0: [call for every in body.calls.values() for call in every]},
        )
        for name, body in program.items()
    }


def test_without_debug_information_functions_are_named() -> None:
    before = replace(BASE, program=dark(PROGRAM))
    dearer = {**PROGRAM, "eval": replace(PROGRAM["eval"], own={"equal += 1": 30, "int eval": 2})}

    found = explained(before, replace(before, program=dark(dearer)))

    assert [each.name for each in found.functions] == ["eval"]
    assert found.lines == ()
    assert found.blame is None


def test_where_the_compiler_keeps_its_flags_to_itself_they_are_named_as_possible() -> None:
    eval_ = replace(PROGRAM["eval"], own={"equal += 1": 40, "int eval": 2})
    after = replace(head({"eval": eval_}, "eval"), producer="Debian clang version 14.0.6")

    [cause] = explained(replace(BASE, producer="Debian clang version 14.0.6"), after).causes

    assert cause.kind is CauseKind.COMPILED_DIFFERENTLY
    assert "-grecord-command-line" in cause.details[-1]


def test_lines_of_libraries_are_not_listed_among_those_of_the_tree() -> None:
    found = explained(
        BASE, head({"memcpy": Body(file="/build/glibc/memcpy.S", own={300: 90})}, "escape")
    )

    assert [moved.name for moved in found.functions] == ["memcpy"]
    assert found.lines == ()
