from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.diff import LineMap, Mapped, parse
from tests.unit.explaining.programs import diff

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "}", "", "-- a", "++ b"]), max_size=12)


@given(TEXTS, TEXTS, st.booleans())
def test_every_unchanged_line_is_mapped_to_itself(
    before: list[str],
    after: list[str],
    renamed: bool,  # noqa: FBT001
) -> None:
    new = "y.c" if renamed else "x.c"
    renames = {"x.c": new} if renamed else {}
    text = diff({"x.c": "\n".join(before)}, {new: "\n".join(after)}, renames)
    lines = LineMap(parse(text))

    kept = difflib.SequenceMatcher(
        None, "\n".join(before).split("\n"), "\n".join(after).split("\n")
    )
    for block in kept.get_matching_blocks():
        for step in range(block.size):
            at = lines.new("x.c", block.a + step + 1)
            assert at == Mapped(new, block.b + step + 1)
            assert lines.edit_of_new(new, block.b + step + 1) is None


@given(TEXTS, TEXTS)
def test_every_other_line_belongs_to_an_edit(before: list[str], after: list[str]) -> None:
    edits = parse(diff({"x.c": "\n".join(before)}, {"x.c": "\n".join(after)}))
    lines = LineMap(edits)

    removed = {edit.old_first + step for edit in edits.edits for step in range(len(edit.minus))}
    for number in range(1, len(before) + 1):
        assert (lines.new("x.c", number).edit is not None) == (number in removed)
        assert (lines.new("x.c", number).edit is not None) == (number in removed)


def test_lines_of_files_that_did_not_change_stay() -> None:
    lines = LineMap(parse(""))

    assert lines.new("/usr/include/stdio.h", 17) == Mapped("/usr/include/stdio.h", 17)
    assert lines.edit_of_new("x.c", 1) is None


def test_code_of_no_line_stays_without_one() -> None:
    lines = LineMap(parse(diff({"x.c": "a"}, {"x.c": "new\na"})))

    assert lines.new("x.c", 0) == Mapped("x.c", 0)
    assert lines.new("x.c", 1) == Mapped("x.c", 2)


BLOCK = """\
static int weigh_every_letter(int letter) {
    return table[letter] * 3;
}"""


def test_a_block_that_moved_to_another_file_is_followed_there() -> None:
    base = {"a.c": f"int x;\n{BLOCK}\nint y;", "b.c": "int z;"}
    head = {"a.c": "int x;\nint y;", "b.c": f"int z;\n\n{BLOCK}"}
    lines = LineMap(parse(diff(base, head)))

    assert [lines.new("a.c", n) for n in (2, 3, 4)] == [Mapped("b.c", n) for n in (3, 4, 5)]
    assert lines.new("a.c", 3).edit is None
    assert lines.edit_of_new("b.c", 4) is None
    assert lines.edit_of_new("b.c", 2) is not None  # the empty line is new


def test_an_edit_inside_a_moved_block_is_an_edit() -> None:
    moved = BLOCK.replace("* 3", "* 5").replace("    return", "        return")
    base = {"a.c": f"{BLOCK}\nint y;"}
    head = {"a.c": f"int y;\n{moved}"}
    lines = LineMap(parse(diff(base, head)))

    assert lines.new("a.c", 1) == Mapped("a.c", 2)
    assert lines.new("a.c", 2).edit is not None
    assert lines.edit_of_new("a.c", 3) is not None


def test_short_lines_that_appear_elsewhere_did_not_move() -> None:
    base = {"a.c": "int x;\n    break;\n}\nint y;", "b.c": "int z;"}
    head = {"a.c": "int x;\nint y;", "b.c": "int z;\n    break;\n}"}
    lines = LineMap(parse(diff(base, head)))

    assert lines.new("a.c", 2).edit is not None
