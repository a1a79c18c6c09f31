from __future__ import annotations

import pytest

from countci.explaining.diff import parse
from countci.explaining.sources import Tree, asserts_only, included, inert, is_source, outside
from tests.unit.explaining.programs import diff

TEXT = """\
/* a comment
   over lines */
int f(void) {
    assert(x > 1);
    return "a // b"[0];
}
"""


def test_a_line_lies_in_its_function_and_in_no_other() -> None:
    tree = Tree({"a.c": TEXT}.get)

    assert [tree.function_at("a.c", line) is not None for line in range(1, 8)] == [
        *[False, False],
        *[True] * 4,
        False,
    ]


@pytest.mark.parametrize("path", ["/usr/include/x.h", "???", "gone.c", ""])
def test_a_file_that_is_not_in_the_tree_has_no_lines(path: str) -> None:
    tree = Tree({"a.c": TEXT, "/usr/include/x.h": TEXT}.get)

    assert tree.lines(path) == []
    assert tree.line(path, 1) == ""
    assert tree.function_at(path, 1) is None


def test_files_are_read_once() -> None:
    asked = []

    def source(path: str) -> str | None:
        asked.append(path)
        return TEXT

    tree = Tree(source)
    tree.definitions("a.c")
    tree.function_at("a.c", 3)
    tree.code("a.c", 1, 2)
    assert asked == ["a.c"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("   over lines", "   over more\n   lines", "a line inside a comment"),
        ("    return", "    return // because\n       ", "a comment at the end, another break"),
        ("int f(void) {", "int f(void)\n{", "spaces"),
    ],
)
def test_comments_and_spaces_are_inert(old: str, new: str, what: str) -> None:
    assert is_inert(TEXT, TEXT.replace(old, new)), what


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("a // b", "a // c", "a string that looks like a comment"),
        ("int f", "long f", "a type"),
        ("x > 1", "x > 2", "an assertion"),
        ("    return", "    // return", "code that became a comment"),
        ("over lines */", "over lines", "a comment that no longer ends"),
    ],
)
def test_code_is_not_inert(old: str, new: str, what: str) -> None:
    assert not is_inert(TEXT, TEXT.replace(old, new)), what


def is_inert(before: str, after: str, path: str = "a.c") -> bool:
    base, head = {path: before}, {path: after}
    edits = parse(diff(base, head)).edits
    return all(inert(edit, Tree(base.get), Tree(head.get)) for edit in edits)


def test_files_that_are_no_sources_are_inert() -> None:
    assert is_inert("a", "b", "README.md")
    assert not is_inert("a", "b", "src/lib.rs")
    assert [is_source(path) for path in ("x.cpp", "x.HPP", "x.py", "Makefile")] == [
        *(True, True),
        *(False, False),
    ]


def test_assertions_alone_are_told() -> None:
    base, head = {"a.c": TEXT}, {"a.c": TEXT.replace("x > 1", "x > 2")}
    [edit] = parse(diff(base, head)).edits

    assert asserts_only(edit, Tree(base.get), Tree(head.get))
    code = {"a.c": TEXT.replace("int f", "long f")}
    [edit] = parse(diff(base, code)).edits
    assert not asserts_only(edit, Tree(base.get), Tree(code.get))


def test_headers_are_found_beside_below_include_and_in_folders_of_sources() -> None:
    files = {
        "src/a.c": '#include "a.h"\n#  include <proj/b.h>\n#include <stdio.h>\n#include "c.h"',
        "src/a.h": '#include "../deep/d.h"',
        "include/proj/b.h": "",
        "deep/d.h": '#include "a.h"',
        "other/c.h": "",
        "other/o.c": "",
    }
    assert included(Tree(files.get), ["src/a.c", "other/o.c"]) == (
        "deep/d.h",
        "include/proj/b.h",
        "other/c.h",
        "other/o.c",
        "src/a.c",
        "src/a.h",
    )


def test_what_lies_outside_of_the_tree_is_known_by_its_path() -> None:
    assert [outside(path) for path in ("/usr/x.c", "???", "", "./a.c", "../a.c")] == [True] * 5
    assert not outside("src/a.c")
