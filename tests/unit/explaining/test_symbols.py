from __future__ import annotations

import pytest

from countci.explaining.symbols import is_allocator, plain


@pytest.mark.parametrize(
    "symbol",
    [
        "malloc",
        "free",
        "calloc",
        "_int_malloc",
        "_int_free",
        "malloc_consolidate",
        "operator new(unsigned long)",
        "operator delete[](void*, unsigned long)",
        "sysmalloc",
        "__libc_memalign",
        "__rust_alloc",
        "__rust_dealloc",
        "__rdl_realloc",
        "__rustc::__rust_alloc_zeroed",
    ],
)
def test_what_hands_out_memory_is_the_allocator(symbol: str) -> None:
    assert is_allocator(symbol)


@pytest.mark.parametrize(
    "symbol", ["my_malloc", "freeze", "memcpy", "Pool::Alloc(int)", "allocate", "cJSON_malloc"]
)
def test_what_only_sounds_like_it_is_not(symbol: str) -> None:
    assert not is_allocator(symbol)


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("parse_value", "parse_value"),
        ("tinyxml2::XMLNode::ParseDeep(char*, int*)", "ParseDeep"),
        ("void ns::Pool<112ul>::Take<int>(int) const", "Take"),
        ("core::str::from_utf8", "from_utf8"),
    ],
)
def test_a_function_is_called_by_its_own_name(symbol: str, name: str) -> None:
    assert plain(symbol) == name
