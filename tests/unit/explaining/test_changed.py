"""Constructed changes of code: each is found, and named with the confidence it deserves."""

from __future__ import annotations

from dataclasses import replace

from countci.model import Blame, Cause, CauseKind, Explanation
from tests.unit.explaining.programs import Body, Program, Version, explained

FILE = "src/scan.c"
SCAN = """\
static int weigh(int c) {
    return c * 3;
}

char *copy(const char *s) {
    char *made = malloc(8);
    snprintf(made, 8, "%1.15g", *s);
    return made;
}

int scan(const char *s) {
    int sum = 0;
    int last = check(s);
    while (*s)
        sum += weigh(*s++);
    free(copy(s));
    return sum + last;
}

int main(void) {
    return scan("some text");
}
"""


SCANNED = Body(
    file=FILE,
    own={"while": 40, "weigh(*s++)": 20},
    calls={
        "check(s)": [("check", 1)],
        "weigh(*s++)": [("weigh", 10)],
        "free(copy(s))": [("copy", 1), ("free", 1)],
    },
)
COPIED = Body(
    file=FILE,
    own={"return made": 5},
    calls={"malloc(8)": [("malloc", 1)], "snprintf(": [("snprintf", 1)]},
)
PROGRAM: Program = {
    "main": Body(file=FILE, own={"return scan": 10}, calls={"return scan": [("scan", 50)]}),
    "scan": SCANNED,
    "weigh": Body(file=FILE, own={"c * 3": 6}),
    "copy": COPIED,
    "check": Body(file="src/check.c", own={3: 9}),
    "malloc": Body(own={0: 70}),
    "free": Body(own={0: 30}),
    "snprintf": Body(own={0: 400}),
    "strlen": Body(own={0: 25}),
}
BASE = Version(
    files={FILE: SCAN, "src/check.c": "int check(const char *s)\n{\n    return 1;\n}\n"},
    program=PROGRAM,
)


def head(text: str, program: Program, *changed: str) -> Version:
    return replace(
        BASE,
        files={**BASE.files, FILE: text},
        program={**PROGRAM, **program},
        changed=frozenset(changed),
    )


def blamed(found: Explanation) -> Blame:
    assert found.blame is not None
    assert found.rest == sum([found.head - found.base, *(-cause.delta for cause in found.causes)])
    return found.blame


def only(found: Explanation) -> Cause:
    [cause] = found.causes
    assert cause.share == cause.delta / found.base
    return cause


def test_a_changed_line_that_costs_more_is_the_cause() -> None:
    text = SCAN.replace("c * 3", "c % 7 * 3")

    found = explained(BASE, head(text, {"weigh": Body(file=FILE, own={"c % 7": 30})}, "weigh"))

    cause = only(found)
    assert (cause.kind, cause.title, cause.delta) == (CauseKind.CHANGED, "weigh", 500 * 24)
    assert cause.words == "caused by this change"
    blame = blamed(found)
    assert (blame.hunk.text, blame.sure, blame.other) == ("src/scan.c:2", True, None)
    assert blame.source == "return c % 7 * 3;"
    assert found.rest == 0
    assert found.notes == ()


def test_a_new_call_is_named_with_what_it_calls() -> None:
    text = SCAN.replace("    while", "    last += strlen(s);\n    while")
    calls = {**SCANNED.calls, "strlen(s)": [("strlen", 4)]}

    found = explained(BASE, head(text, {"scan": replace(SCANNED, calls=calls)}, "scan"))

    assert only(found).title == "scan"
    assert only(found).details == ("strlen +5.00k: 200 more calls an ask",)
    assert (blamed(found).hunk.text, blamed(found).sure) == ("src/scan.c:14", True)
    assert blamed(found).words == "200 more calls of strlen (+5.00k)"


def test_a_call_that_runs_more_often_is_blamed_on_the_line_that_makes_it() -> None:
    text = SCAN.replace("while (*s)", "while (*s || twice(s))")
    calls = {**SCANNED.calls, "weigh(*s++)": [("weigh", 30)]}

    scan = Body(file=FILE, own={"while": 42, "weigh(*s++)": 60}, calls=calls)
    found = explained(BASE, head(text, {"scan": scan}, "scan"))

    assert only(found).title == "scan"
    assert only(found).details == ("weigh +6.00k: 1,000 more calls an ask",)
    blame = blamed(found)
    assert (blame.hunk.text, blame.sure) == ("src/scan.c:14", True)


def test_removed_code_is_blamed_on_the_line_before_it() -> None:
    before = SCAN.replace("    while", "    last += strlen(s);\n    while")
    calls = {**SCANNED.calls, "strlen(s)": [("strlen", 4)]}
    base = head(before, {"scan": replace(SCANNED, calls=calls)})

    found = explained(base, head(SCAN, {}, "scan"))

    assert only(found).delta == -50 * 4 * 25
    blame = blamed(found)
    assert (blame.hunk.text, blame.hunk.removed, blame.sure) == ("src/scan.c:13", True, True)
    assert blame.words == "200 fewer calls of strlen (−5.00k)"


def test_an_unchanged_line_is_blamed_on_the_change_above_it() -> None:
    text = SCAN.replace("int last = check(s)", "long last = check(s)")
    scan = replace(SCANNED, own={"while": 90, "weigh(*s++)": 20})

    found = explained(BASE, head(text, {"scan": scan}, "scan"))

    assert (only(found).title, only(found).words) == ("scan", "below the change")
    assert (blamed(found).hunk.text, blamed(found).sure) == ("src/scan.c:13", False)


def test_what_no_longer_runs_is_blamed_on_the_function_that_decides_it() -> None:
    """`compare_double` for a `sprintf` that no longer runs."""
    text = BASE.files["src/check.c"].replace("return 1", "return 2")
    after = replace(
        head(SCAN, {}, "check", "scan"),
        files={**BASE.files, "src/check.c": text},
        program={**PROGRAM, "scan": replace(SCANNED, calls={"check(s)": [("check", 1)]})},
    )

    found = explained(BASE, after)

    assert found.causes[0].title == "check"
    assert blamed(found).hunk.text == "src/check.c:3"
    assert not blamed(found).sure


def test_a_function_that_moved_to_another_file_is_not_blamed_for_moving() -> None:
    weigh = SCAN[: SCAN.index("char *copy")]
    files = {
        **BASE.files,
        FILE: SCAN.removeprefix(weigh),
        "src/weigh.c": "#include <x.h>\n" + weigh.replace("c * 3", "c * 3 % 4"),
    }
    program = {**PROGRAM, "weigh": Body(file="src/weigh.c", own={"% 4": 16})}
    after = replace(BASE, files=files, program=program, changed=frozenset({"weigh"}))

    found = explained(BASE, after)

    assert (only(found).title, only(found).delta) == ("weigh", 500 * 10)
    assert blamed(found).hunk.file == "src/weigh.c"
    assert blamed(found).source == "return c * 3 % 4;"


def test_a_moved_function_that_costs_the_same_gives_nothing() -> None:
    weigh = SCAN[: SCAN.index("char *copy")]
    files = {**BASE.files, FILE: SCAN.removeprefix(weigh), "src/weigh.c": weigh}
    program = {**PROGRAM, "weigh": Body(file="src/weigh.c", own={"c * 3": 6})}

    found = explained(BASE, replace(BASE, files=files, program=program))

    assert (found.causes, found.rest, found.blame) == ((), 0, None)


def test_a_renamed_file_with_a_changed_line_is_one_file() -> None:
    new = "src/scanner.c"
    files = {"src/check.c": BASE.files["src/check.c"], new: SCAN.replace("c * 3", "c % 7 * 3")}
    program = {
        name: replace(each, file=new) if each.file == FILE else each
        for name, each in PROGRAM.items()
    }
    program["weigh"] = Body(file=new, own={"c % 7": 30})
    after = replace(BASE, files=files, program=program, changed=frozenset({"weigh"}))

    found = explained(BASE, after, renames={FILE: new})

    assert only(found).title == "weigh"
    assert (blamed(found).hunk.text, blamed(found).sure) == ("src/scanner.c:2", True)


def test_a_format_string_is_blamed_though_no_instruction_differs() -> None:
    text = SCAN.replace("%1.15g", "%1.16g")
    after = head(text, {"snprintf": Body(own={0: 460})})

    found = explained(BASE, after)

    assert (only(found).kind, only(found).title) == (CauseKind.CHANGED, "copy")
    assert only(found).details == ("snprintf +3.00k: called as often as before",)
    assert (blamed(found).hunk.text, blamed(found).sure) == ("src/scan.c:7", True)


def test_comments_that_changed_beside_the_change_are_never_blamed() -> None:
    text = SCAN.replace("    while", "    /* as long\n       as it takes */\n    while")
    text = text.replace("c * 3", "c % 7 * 3")

    found = explained(BASE, head(text, {"weigh": Body(file=FILE, own={"c % 7": 30})}, "weigh"))

    assert [hunk.text for hunk in only(found).hunks] == ["src/scan.c:2"]


def test_an_improvement_inside_a_regression_is_shown_after_it() -> None:
    text = SCAN.replace("c * 3", "c % 7 * 3").replace("char *made = malloc(8)", "char *made = 0")
    copy = replace(COPIED, calls={"snprintf(": [("snprintf", 1)]})
    program = {"weigh": Body(file=FILE, own={"c % 7": 30}), "copy": copy}

    found = explained(BASE, head(text, program, "weigh", "copy"))

    assert [(cause.title, cause.delta) for cause in found.causes] == [
        ("weigh", 12_000),
        ("copy", -3500),
    ]
    assert blamed(found).title == "weigh"


def test_two_rules_that_disagree_are_both_named() -> None:
    """The largest group is spread over a function; one line of another one moved most."""
    text = SCAN.replace("int last = check(s)", "long last = check(s)")
    text = text.replace("c * 3", "c % 7 * 3")
    scan = replace(SCANNED, own={"while": 400, "weigh(*s++)": 20})
    program = {"scan": scan, "weigh": Body(file=FILE, own={"c % 7": 9})}

    found = explained(BASE, head(text, program, "scan", "weigh"))

    blame = blamed(found)
    assert (blame.hunk.text, blame.sure) == ("src/scan.c:13", False)
    assert blame.other is not None
    assert blame.other.text == "src/scan.c:2"
    assert "caused by" not in {cause.words for cause in found.causes}


def test_a_long_hunk_is_narrowed_to_the_lines_that_cost() -> None:
    lines = "".join(f"    c += {number};\n" for number in range(40))
    text = SCAN.replace("    return c * 3;", f"{lines}    return c * 3;")
    own: dict[str | int, int] = dict.fromkeys(range(2, 42), 1)
    own |= {20: 300, 24: 300, "c * 3": 6}

    found = explained(BASE, head(text, {"weigh": Body(file=FILE, own=own)}, "weigh"))

    assert blamed(found).hunk.text == "src/scan.c:20-24"
    assert blamed(found).source == "c += 18;"


def test_functions_and_lines_that_moved_are_listed_largest_first() -> None:
    text = "// one line more\n" + SCAN.replace("c * 3", "c % 7 * 3")
    scan = replace(SCANNED, own={"while": 41, "weigh(*s++)": 20})
    program = {"scan": scan, "weigh": Body(file=FILE, own={"c % 7": 30})}

    found = explained(BASE, head(text, program, "scan", "weigh"))

    assert [(each.name, each.base, each.head) for each in found.functions] == [
        ("weigh", 3000, 15_000),
        ("scan", 3000, 3050),
    ]
    assert [(each.name, each.base, each.head) for each in found.lines] == [
        ("src/scan.c:3", 0, 15_000),
        ("src/scan.c:15", 2000, 2050),
    ]
