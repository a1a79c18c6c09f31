from __future__ import annotations

import pytest

from countci.explaining.diff import parse
from countci.explaining.sources import ChangedNames, Tree, changed_names
from tests.unit.explaining.programs import diff

BASE = """\
#define lua_assert(c) ((void)0)
#define api_check(c) lua_assert(c)
#define checked(c) api_check(c)
typedef struct Value {
    int tt;
} Value;
typedef struct Stack {
    Value top;
} Stack;
static const int table[] = {
    1, 2, 3,
};
enum kind { KIND_A, KIND_B };
int run(void) {
    return table[0];
}
class Pool {
    enum { SIZE = 112 };
    int used;
    int Take(int n);
};
"""


def changed(old: str, new: str) -> ChangedNames:
    assert old in BASE
    base, head = {"x.h": BASE}, {"x.h": BASE.replace(old, new, 1)}
    edits = parse(diff(base, head)).edits
    return changed_names(edits, Tree(base.get), Tree(head.get), lambda: ["x.h"])


def test_a_changed_macro_is_followed_through_macros_that_use_it() -> None:
    found = changed("((void)0)", "check(c)")

    assert set(found.edits) == {"lua_assert", "api_check", "checked"}
    assert found.strong == {"lua_assert"}
    assert found.strong_edits == {0}


def test_a_new_member_changes_the_layout_of_types_that_hold_it() -> None:
    found = changed("    int tt;", "    int tt;\n    int extra;")

    assert found.layouts == {0}
    assert set(found.edits) == {"Value", "Stack", "extra"}
    assert found.strong == frozenset()


def test_a_table_entry_is_a_strong_name() -> None:
    assert changed("1, 2, 3", "1, 2, 9").strong == {"table"}


def test_the_members_of_an_enum_are_strong_names() -> None:
    found = changed("KIND_A, KIND_B", "KIND_A = 4, KIND_B")

    assert {"KIND_A", "KIND_B", "kind"} <= found.strong


def test_a_constant_of_a_class_is_strong_and_the_class_is_no_name() -> None:
    found = changed("SIZE = 112", "SIZE = 160")

    assert "SIZE" in found.strong
    assert "Pool" not in found.edits


def test_a_method_of_another_signature_is_a_weak_name() -> None:
    found = changed("Take(int n)", "Take(long n)")

    assert found.edits == {"Take": 0}
    assert found.strong == frozenset()


def test_an_edit_inside_a_function_defines_nothing() -> None:
    assert changed("return table[0]", "return table[1]").edits == {}


def test_an_edit_knows_its_names_in_order() -> None:
    assert changed("((void)0)", "check(c)").of(0)[0] == "lua_assert"


def test_a_field_with_an_initial_value_changes_the_layout_of_its_class() -> None:
    found = changed("    int used;", "    int used;\n    char room[80] = {};")

    assert found.layouts == {0}
    assert found.shapes["Pool"] == 0


def test_a_constant_or_an_enumerator_of_a_class_changes_no_layout() -> None:
    assert changed("SIZE = 112", "SIZE = 96").layouts == frozenset()
    assert changed("    int used;", "    static int all;\n    int used;").layouts == frozenset()


HEADER = "#define HEADER struct object *next; byte tt; byte marked\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("byte marked", "byte marked; byte age"),
        ("byte marked", "unsigned marked : 3"),
        ("byte tt", "Small::Type<int> tt[4]"),
    ],
)
def test_members_that_a_macro_declares_are_a_layout(old: str, new: str) -> None:
    """Of any type: Lua's `lu_byte` is one, `guint8` another."""
    text = HEADER + "struct object { HEADER; };\n"
    base, head = {"x.h": text}, {"x.h": text.replace(old, new)}
    edits = parse(diff(base, head)).edits

    found = changed_names(edits, Tree(base.get), Tree(head.get), lambda: ["x.h"])

    assert found.layouts == {0}
    assert "object" in found.shapes


@pytest.mark.parametrize(
    "body", ["do { int copy = x; use(copy); } while (0)", "return x;", "f(x); g(x);", "(x)"]
)
def test_statements_of_a_macro_are_no_layout(body: str) -> None:
    base, head = {"x.h": "#define RUN(x) 1\n"}, {"x.h": f"#define RUN(x) {body}\n"}
    edits = parse(diff(base, head)).edits

    found = changed_names(edits, Tree(base.get), Tree(head.get), lambda: ["x.h"])

    assert found.layouts == frozenset()
