"""Changed data that decides how often unchanged lines run, beside functions that changed too."""

from __future__ import annotations

from dataclasses import replace

from countci.model import CauseKind
from tests.unit.explaining.programs import Body, Program, Version, explained

TABLE = "table.c"
KINDS = "const unsigned char kinds[256] = {\n    ['0' ... '9'] = DIGIT,\n};\n"
C = "parse.c"
CODE = """\
static long number(const char *text) {
    long value = 0;
    while (*text)
        value += *text++ - '0';
    return value;
}

long parse(const char *text) {
    long total = 0;
    int kind = kinds[*text];
    if (kind == DIGIT)
        total += number(text);
    else if (kind == LETTER)
        total += hash(text) & 15;
    return total;
}

int main(void) {
    return parse("1a");
}
"""
PARSED: dict[str | int, int] = {"kinds[*text]": 30, "== DIGIT": 10}
PROGRAM: Program = {
    "main": Body(file=C, own={"return parse": 10}, calls={"return parse": [("parse", 50)]}),
    "parse": Body(
        file=C, own={**PARSED, "value += *text++": 60}, calls={"hash(text)": [("hash", 2)]}
    ),
    "hash": Body(file="hash.c", own={3: 40}),
}
BASE = Version(
    files={C: CODE, TABLE: KINDS, "hash.c": "long hash(const char *text)\n{\n    return 1;\n}\n"},
    program=PROGRAM,
    objects={"kinds": "0b5fa1d0"},
)
MASKED = CODE.replace("- '0'", "& 15")


def head(code: str, table: str, parse: Body) -> Version:
    return replace(
        BASE,
        files={**BASE.files, C: code, TABLE: table},
        program={**PROGRAM, "parse": parse},
        changed=frozenset({"parse"}),
        objects={"kinds": "77e0a9c1"},
    )


def test_calls_that_a_changed_table_decides_are_not_given_to_a_function_that_no_longer_runs() -> (
    None
):
    parse = Body(file=C, own=PARSED, calls={"hash(text)": [("hash", 9)]})

    found = explained(BASE, head(MASKED, KINDS.replace("DIGIT", "LETTER"), parse))

    assert [(cause.kind, cause.title, cause.delta) for cause in found.causes] == [
        (CauseKind.DEFINITION, "kinds", 50 * 7 * 40),
        (CauseKind.CHANGED, "number", -50 * 60),
    ]
    assert found.causes[0].details[0] == "hash +14.0k: 350 more calls an ask"
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.title) == ("table.c:2", "kinds")


def test_a_function_whose_result_is_only_added_up_is_not_given_calls_that_it_does_not_make() -> (
    None
):
    own: dict[str | int, int] = {**PARSED, "value += *text++": 62}
    parse = Body(file=C, own=own, calls={"hash(text)": [("hash", 9)]})

    found = explained(BASE, replace(head(MASKED, KINDS, parse), objects=BASE.objects))

    assert [(cause.kind, cause.delta) for cause in found.causes] == [
        (CauseKind.COMPILED_DIFFERENTLY, 50 * 7 * 40)
    ]
    assert found.rest == 50 * 2


def test_a_table_of_the_same_bytes_decides_nothing() -> None:
    own: dict[str | int, int] = {**PARSED, "value += *text++": 62}
    parse = Body(file=C, own=own, calls={"hash(text)": [("hash", 9)]})
    after = head(MASKED, KINDS.replace("'0' ...", "48 ..."), parse)

    found = explained(BASE, replace(after, objects=BASE.objects))

    assert "kinds" not in {cause.title for cause in found.causes}


def test_a_function_whose_result_decides_is_given_the_calls_that_follow() -> None:
    code = CODE.replace("total += number(text);", "total = number(text);")
    base = replace(BASE, files={**BASE.files, C: code})
    own: dict[str | int, int] = {**PARSED, "value += *text++": 62}
    parse = Body(file=C, own=own, calls={"hash(text)": [("hash", 9)]})
    after = head(code.replace("- '0'", "& 15"), KINDS, parse)

    found = explained(base, replace(after, objects=BASE.objects))

    assert found.causes[0].title == "number"
    assert found.blame is not None
    assert found.blame.hunk.text == "parse.c:4"


def test_what_a_function_costs_less_is_its_own_although_it_no_longer_runs() -> None:
    parse = Body(file=C, own=PARSED, calls={"hash(text)": [("hash", 2)]})

    found = explained(BASE, replace(head(MASKED, KINDS, parse), objects=BASE.objects))

    assert [(cause.title, cause.delta) for cause in found.causes] == [("number", -50 * 60)]


def test_a_change_just_above_comes_before_data_of_the_function() -> None:
    code = CODE.replace("else if (kind == LETTER)", "else if (kind >= LETTER)")
    parse = Body(
        file=C,
        own={**PARSED, "value += *text++": 60, "kind >= LETTER": 5},
        calls={"hash(text)": [("hash", 9)]},
    )

    found = explained(BASE, head(code, KINDS.replace("DIGIT", "LETTER"), parse))

    assert found.causes[0].title == "parse"
    assert found.blame is not None
    assert found.blame.hunk.text == "parse.c:13"
