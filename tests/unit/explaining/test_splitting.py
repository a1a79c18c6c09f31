"""Hunks of several definitions: one is named, the one that is used."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.causes.splitting import split
from countci.explaining.diff import parse
from countci.explaining.sources import Tree
from tests.unit.explaining.programs import Body, Version, diff, explained

H, C = "tool.h", "util.c"
HEADER = "#ifndef TOOL_H\n#define ROUNDS 8\nenum { WINDOW = 16 };\n#endif\n"
CODE = """\
int smooth(int count) {
    int sum = 0;
    for (int k = 0; k < WINDOW; k++)
        sum += k;
    return sum;
}

int main(void) {
    return smooth(9);
}
"""
BASE = Version(
    files={H: HEADER, C: CODE},
    program={
        "main": Body(file=C, own={"smooth(9)": 10}, calls={"smooth(9)": [("smooth", 50)]}),
        "smooth": Body(file=C, own={"k < WINDOW": 60, "sum += k": 40}),
    },
)


def cut(before: str, after: str) -> list[tuple[int, tuple[str, ...], int, tuple[str, ...]]]:
    trees = (Tree({H: before}.get), Tree({H: after}.get))
    found = split(parse(diff({H: before}, {H: after})), trees).edits
    assert [edit.id for edit in found] == list(range(len(found)))
    return [(edit.old_first, edit.minus, edit.new_first, edit.plus) for edit in found]


def test_of_two_definitions_in_one_hunk_the_one_that_is_used_is_named() -> None:
    after = HEADER.replace("ROUNDS 8", "ROUNDS 9").replace("WINDOW = 16", "WINDOW = 12")
    smooth = Body(file=C, own={"k < WINDOW": 45, "sum += k": 30})

    found = explained(
        BASE,
        replace(
            BASE,
            files={C: CODE, H: after},
            program={**BASE.program, "smooth": smooth},
            changed=frozenset({"smooth"}),
        ),
    )

    assert [cause.title for cause in found.causes] == ["WINDOW"]
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.title) == ("tool.h:3", "WINDOW")
    assert found.blame.source == "enum { WINDOW = 12 };"


def test_new_definitions_are_edits_of_their_own() -> None:
    added = "#define A 1\n#define B 2\n"

    assert cut("int x;\n", "int x;\n" + added) == [
        (1, (), 2, ("#define A 1",)),
        (1, (), 3, ("#define B 2",)),
    ]


def test_a_new_definition_between_changed_ones_is_an_edit_of_its_own() -> None:
    before = "#define A 1\n#define C 3\n"
    after = "#define A 2\n#define B 2\n#define C 4\n"

    assert cut(before, after) == [
        (1, ("#define A 1",), 1, ("#define A 2",)),
        (1, (), 2, ("#define B 2",)),
        (2, ("#define C 3",), 3, ("#define C 4",)),
    ]


@pytest.mark.parametrize(
    "text", ["int f(int x)\n{\n#define N {}\n    x += {};\n    return x;\n}\n", "int a{}, b{};\n"]
)
def test_functions_and_other_lines_stay_whole(text: str) -> None:
    before, after = (text.replace("{}", number) for number in "12")

    assert len(cut(before, after)) == len(parse(diff({H: before}, {H: after})).edits)


_LINE = st.sampled_from(
    ["#define A 1", "#define A 2", "#define B 1", "enum { C = 1 };", "enum { C = 2 };", "int x;"]
)


@given(st.lists(_LINE, max_size=8), st.lists(_LINE, max_size=8))
def test_pieces_are_the_hunks_together(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before), "\n".join(after)
    whole = parse(diff({H: old}, {H: new})).edits

    pieces = cut(old, new)

    assert [line for each in pieces for line in each[1]] == [
        line for edit in whole for line in edit.minus
    ]
    for old_first, minus, new_first, plus in pieces:
        assert minus == tuple(old.split("\n")[old_first - 1 :][: len(minus)])
        assert plus == tuple(new.split("\n")[new_first - 1 :][: len(plus)])
