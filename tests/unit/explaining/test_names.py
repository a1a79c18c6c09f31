from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.names import bare, cleaned, paired

WORDS = st.from_regex(r"[a-z_][a-z0-9_]{0,9}", fullmatch=True).filter(
    lambda word: not word.startswith("operator")
)
TYPES = st.recursive(
    st.sampled_from(["int", "char const*", "unsigned long", "std::string&"]),
    lambda inner: st.builds("std::map<{}, {} (*)({})>".format, inner, inner, inner),
    max_leaves=4,
)


@given(WORDS, WORDS, st.lists(TYPES, max_size=3), st.sampled_from(["", " const", " const &"]))
def test_parameters_and_qualifiers_are_no_part_of_a_bare_name(
    scope: str, name: str, types: list[str], after: str
) -> None:
    assert bare(f"{scope}::{name}({', '.join(types)}){after}") == f"{scope}::{name}"


@given(WORDS, TYPES, TYPES)
def test_arguments_and_the_return_type_of_a_template_are_none_either(
    name: str, argument: str, returned: str
) -> None:
    assert bare(f"{returned} ns::{name}<{argument}>({argument})") == f"ns::{name}"


@given(st.text(max_size=40))
def test_any_name_has_a_bare_one(name: str) -> None:
    assert bool(bare(name)) == bool(cleaned(name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("(anonymous namespace)::hidden(int)", "{anonymous}::hidden"),
        ("(anonymous namespace)::other(int)", "{anonymous}::other"),
        ("MemPoolT<112ul>::Alloc()", "MemPoolT::Alloc"),
        ("foo::operator()(int) const", "foo::operator()"),
        ("foo::operator()", "foo::operator()"),
        ("operator new(unsigned long)", "operator new"),
        ("std::operator<< <int>(std::ostream&, int)", "std::operator<< <int>"),
        ("main::{lambda(int, int)#1}::operator()(int) const",) * 2,
        ("decltype ({parm#1}(1)) ns::run<main::$_0>(main::$_0)",) * 2,
        ("<scan::Scanner as core::iter::Iterator>::next",) * 2,
        ("print_number.isra.0", "print_number"),
        ("(below main)", "(below main)"),
    ],
)
def test_bare_names_of_real_symbols(name: str, expected: str) -> None:
    assert bare(name) == expected


def test_functions_of_two_builds_are_paired_by_their_names() -> None:
    base = ["main", "Pool<112>::get()", "add(int)", "add(long)", "gone"]
    head = ["main", "Pool<160>::get()", "add(int, int)", "new"]

    assert paired(base, head) == {"main": "main", "Pool<112>::get()": "Pool<160>::get()"}


@given(st.lists(WORDS, unique=True), st.lists(WORDS, unique=True))
def test_no_function_is_paired_twice(base: list[str], head: list[str]) -> None:
    pairs = paired(base, head)

    assert len(set(pairs.values())) == len(pairs)
    assert all(pairs[name] == name for name in set(base) & set(head))
