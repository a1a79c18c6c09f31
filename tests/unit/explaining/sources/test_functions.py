from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.sources.functions import Function, functions

CJSON = """\
/* not here { */
#define CJSON_PUBLIC(type) type
static const char *names[] = { "a", "{" };
typedef struct { int x; } pair;
struct node { struct node *next; };

CJSON_PUBLIC(const char *) cJSON_Version(void)
{
    static char version[15]; // }
    return "}" "\\"{";
}

#ifdef WIDE
static long add(long a) {
#else
static int add(int a) {
#endif
    if (a) { return '}'; }
    return a;
}
extern int other(int a);
int
split_header(int a,
             int (*f)(int))
{ return f(a); }
"""


def test_functions_of_c_are_found_with_their_headers() -> None:
    assert functions(CJSON) == (
        Function(7, 11, "cJSON_Version"),
        Function(14, 20, "add"),
        Function(22, 25, "split_header"),
    )


CPP = """\
namespace ns {
class XMLNode : public Base {
public:
    XMLNode(int x) : Base(x), _x{x} {
    }
    ~XMLNode() { clear(); }
    bool operator==(const XMLNode& other) const { return _x == other._x; }
    int operator()(int a) { return a; }
    virtual void Visit() const override = 0;
    int _x = 3;
};
template <typename T>
T Pool<T>::Take(size_t n) noexcept {
    auto f = [&](int a) { return a; };
    return f(n);
}
extern "C" {
int plain(void) { return 1; }
}
}
"""


def test_functions_of_cpp_are_found_inside_namespaces_and_classes() -> None:
    found = functions(CPP)

    assert found[0] == Function(4, 5, "XMLNode")
    assert [function.name for function in found] == [
        "XMLNode",
        "~XMLNode",
        "operator==",
        "operator()",
        "Pool<T>::Take",
        "plain",
    ]


RUST = """\
impl<'a> Lexer<'a> {
    pub fn next(&mut self) -> Option<&'a str> {
        let c = '{';
        let s = r#"}"{"#;
        match self.peek() { Some('}') => None, _ => None }
    }
}
fn unescape<T>(x: T) -> T
where
    T: Clone,
{
    x /* { /* */
}
mod inner { fn deep() {} }
struct S { x: u8 }
"""


def test_functions_of_rust_are_found() -> None:
    assert functions(RUST, rust=True) == (
        Function(2, 6, "next"),
        Function(8, 13, "unescape"),
        Function(14, 14, "deep"),
    )


@pytest.mark.parametrize("text", ["", "int x;", "}}}", "int f(void) {", '"', "/*", "#if\n#else\n{"])
def test_broken_or_empty_text_has_no_function(text: str) -> None:
    assert functions(text) == ()


@given(st.text("{}();=#\"'/*\\\n abf_:<>"))
def test_functions_are_in_order_and_inside_the_text(text: str) -> None:
    last = 0
    for function in functions(text):
        assert last <= function.first <= function.last <= text.count("\n") + 1
        last = function.last
