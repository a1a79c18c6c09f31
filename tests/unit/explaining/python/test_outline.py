from __future__ import annotations

import pytest

from countci.explaining.python.outline import Outline, inside, outline

SOURCE = '''"""Text
of two lines."""
import os
if os.name:
    from json import dumps
SIZE: int = 3
NONE: int
class Shop:
    """A shop."""
    RATE, OTHER = 1, 2
    @property
    def price(self):
        """What it costs."""
        import math
        local = 4
        return local
try:
    FAST = True
except ImportError:
    FAST = False
'''


def test_what_a_file_defines_has_its_lines() -> None:
    found = outline(SOURCE)

    assert found.functions == ((11, 16),)
    assert set(found.texts) == {(1, 2), (9, 9), (13, 13)}
    assert set(found.imports) == {(3, 3), (5, 5), (14, 14)}
    assert found.definitions == (
        ((6, 6), ("SIZE",)),
        ((10, 10), ("RATE", "OTHER")),
        ((18, 18), ("FAST",)),
        ((20, 20), ("FAST",)),
    )


@pytest.mark.parametrize("text", [None, "def broken(:\n", "x = '\0'\n"])
def test_a_file_that_can_not_be_read_defines_nothing(text: str | None) -> None:
    assert outline(text) == Outline()


def test_a_file_with_slips_is_read_without_a_warning() -> None:
    assert outline("X = '\\d'\n").definitions == (((1, 1), ("X",)),)


def test_lines_at_both_ends_are_inside() -> None:
    assert [inside(line, [(3, 4), (6, 6)]) for line in range(2, 8)] == [
        *(False, True, True, False, True, False)
    ]
