from __future__ import annotations

import pytest
from msgspec.structs import replace

from countci.counting import Function
from countci.explaining.python.pairing import paired
from countci.explaining.python.paths import in_tree, module_path
from tests.unit.explaining.python.asked import function


def places(base: list[Function], head: list[Function]) -> list[tuple[int | None, int | None]]:
    """Return the pairs as places in both lists."""
    left = {id(each): place for place, each in enumerate(base)}
    right = {id(each): place for place, each in enumerate(head)}
    return [(left.get(id(each.base)), right.get(id(each.head))) for each in paired(base, head)]


def test_a_function_is_found_by_its_file_and_name() -> None:
    base = [function("f", 1, 1, "x"), function("g", 1, 1, "y")]
    head = [function("g", 1, 1, "z"), function("f", 1, 1, "x")]

    assert sorted(places(base, head)) == [(0, 1), (1, 0)]


def test_of_functions_with_one_name_equal_ones_belong_together() -> None:
    base = [function("<lambda>", 1, 1, "x"), function("<lambda>", 1, 1, "y")]
    head = [function("<lambda>", 1, 1, "new"), *base]

    assert set(places(base, head)) == {(0, 1), (1, 2), (None, 0)}


def test_functions_that_were_made_alike_are_each_paired_once() -> None:
    base = [function("__init__", 1, 1) for _ in range(3)]
    head = [function("__init__", 1, 1) for _ in range(4)]

    assert places(base, head) == [(0, 0), (1, 1), (2, 2), (None, 3)]


def test_a_function_of_another_name_with_the_same_byte_code_was_renamed() -> None:
    assert places([function("f", 1, 1, "x")], [function("g", 1, 1, "x")]) == [(0, 0)]
    assert len(places([function("f", 1, 1, "x")], [function("g", 1, 1, "y")])) == 2


def test_a_function_of_another_file_moved_if_there_is_only_one() -> None:
    base = [function("f", 1, 1, "x")]
    moved = replace(function("f", 1, 1, "x"), file="b.py")

    assert places(base, [moved]) == [(0, 0)]
    assert len(places(base, [moved, replace(moved, file="c.py")])) == 3


@pytest.mark.parametrize(
    ("file", "path"),
    [
        (".venv/lib/python3.11/site-packages/shop/sale.py", "src/shop/sale.py"),
        (
            ".venv/lib/python3.11/site-packages/other/sale.py",
            ".venv/lib/python3.11/site-packages/other/sale.py",
        ),
        ("/usr/lib/python3/dist-packages/shop/sale.py", "src/shop/sale.py"),
        ("tests/sale.py", "tests/sale.py"),
        ("/usr/lib/python3.11/json/encoder.py", "/usr/lib/python3.11/json/encoder.py"),
    ],
)
def test_an_installed_module_is_found_in_the_tree(file: str, path: str) -> None:
    changed = ["tests/src/shop/sale.py", "src/shop/sale.py", "sale.py"]

    assert in_tree(file, changed) == path


def test_a_module_is_called_as_it_is_imported() -> None:
    assert module_path(".venv/lib/python3.11/site-packages/shop/sale.py") == "shop/sale.py"
    assert module_path("shop/sale.py") == "shop/sale.py"
