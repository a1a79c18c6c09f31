from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.sources.definitions import Definition, definitions
from countci.explaining.sources.functions import functions

HEADER = """\
#define LIMIT 10
#define api_check(l, e) \\
    lua_assert((l) && e)
/* #define NOT 1 */
typedef struct TValue {
    Value value_;
    #define TT_BITS 4
    unsigned char tt_;
} TValue;
enum kind { KIND_A = 1, KIND_B };
static const int levels[3] = {
    1, 2,
    LIMIT,
};
static const double ratio = 0.5 * SCALE;
class Pool {
public:
    enum { SIZE = 112 };
    static const int HALF = 56;
    int used;
};
int run(void) {
#define INNER 1
    struct local { int x; };
    return levels[INNER];
}
struct forward;
"""


def found(text: str, *, rust: bool = False) -> dict[str, Definition]:
    every = definitions(text, functions(text, rust=rust), rust=rust)
    return {name: each for each in every for name in each.names}


def test_every_kind_of_definition_is_found_with_its_lines() -> None:
    kinds = {n: (d.kind, d.first, d.last) for n, d in found(HEADER).items()}

    assert kinds == {
        "LIMIT": ("macro", 1, 1),
        "api_check": ("macro", 2, 3),
        "TValue": ("struct", 5, 9),
        "TT_BITS": ("macro", 7, 7),
        "kind": ("enum", 10, 10),
        "levels": ("table", 11, 14),
        "ratio": ("constant", 15, 15),
        "Pool": ("class", 16, 21),
        "HALF": ("constant", 19, 19),
        "INNER": ("macro", 23, 23),
    }


def test_a_definition_knows_what_else_it_mentions() -> None:
    every = found(HEADER)

    assert every["api_check"].mentions == {"lua_assert"}  # its arguments are its own
    assert "LIMIT" in every["levels"].mentions
    assert every["ratio"].mentions == {"SCALE"}
    assert every["Pool"].mentions == frozenset()


def test_definitions_of_rust_are_found() -> None:
    text = """\
const LIMIT: usize = 10;
static TABLE: [u8; 3] = [
    1, 2, 3,
];
pub struct Node { next: u32 }
macro_rules! twice {
    ($x:expr) => { $x + $x };
}
pub enum Kind { A, B }
fn f() { const INSIDE: u8 = 1; }
"""
    kinds = {name: (d.kind, d.first, d.last) for name, d in found(text, rust=True).items()}

    assert kinds == {
        "LIMIT": ("constant", 1, 1),
        "TABLE": ("table", 2, 4),
        "Node": ("struct", 5, 5),
        "twice": ("macro", 6, 8),
        "Kind": ("enum", 9, 9),
    }


@given(st.text("#define structenum{}[]=;()\\\n ab,"))
def test_definitions_lie_inside_the_text(text: str) -> None:
    for each in definitions(text, functions(text)):
        assert 1 <= each.first <= each.last <= text.count("\n") + 1


def test_a_table_is_told_from_the_type_that_is_declared_with_it() -> None:
    text = "static const struct level {\n    int rounds;\n} levels[] = {\n    {LEAST},\n};\n"

    type_, table = definitions(text, ())

    assert (type_.kind, type_.last, type_.names) == ("struct", 3, frozenset({"level"}))
    assert (table.kind, table.first, table.last) == ("table", 3, 5)
    assert (table.names, table.mentions) == (frozenset({"levels"}), frozenset({"LEAST"}))
