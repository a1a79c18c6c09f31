from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting import cleaned

WORDS = st.from_regex(r"[a-z_][a-z0-9_]{0,9}", fullmatch=True)
ADDED = st.sampled_from(
    [
        ".constprop.0",
        ".isra.0",
        ".part.0",
        ".cold",
        ".cold.3",
        ".lto_priv.0",
        ".llvm.12345678901234567890",
        ".localalias",
        " [clone .constprop.0]",
        " [clone .isra.0] [clone .cold]",
        "'2",
        "@@GLIBC_2.34",
        "@GLIBC_2.2.5",
        "@plt",
        "::h0123456789abcdef",
    ]
)


@given(WORDS, st.lists(ADDED, max_size=4))
def test_what_compilers_and_tools_add_is_left_out(name: str, added: list[str]) -> None:
    assert cleaned(name + "".join(added)) == name


@given(st.text(max_size=40))
def test_a_cleaned_name_stays_as_it_is_and_is_never_empty(name: str) -> None:
    assert cleaned(cleaned(name)) == cleaned(name)
    assert bool(cleaned(name)) == bool(name)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("(anonymous namespace)::hidden(int)", "(anonymous namespace)::hidden(int)"),
        ("(anonymous namespace)::hidden(int) [clone .cold]", "(anonymous namespace)::hidden(int)"),
        ("operator new(unsigned long)@GLIBCXX_3.4", "operator new(unsigned long)"),
        ("ns::Pool<int, 12>::get(int)", "ns::Pool<int, 12>::get(int)"),
        ("<scan[3f1c]::Scanner>::next", "<scan::Scanner>::next"),
        ("core::fmt::write::h0123456789abcdef.llvm.77", "core::fmt::write"),
        ("Objects::operator[](int)", "Objects::operator[](int)"),
        ("take(int [4])", "take(int [4])"),
        ("(below main)", "(below main)"),
        ("???", "???"),
    ],
)
def test_what_belongs_to_a_name_stays(name: str, clean: str) -> None:
    assert cleaned(name) == clean
