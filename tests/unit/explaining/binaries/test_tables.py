from __future__ import annotations

import struct

from countci.explaining.binaries.layout import parse
from countci.explaining.binaries.pointers import pointers
from countci.explaining.binaries.tables import digests
from tests.unit.explaining.binaries.recorded import image, layout, text

TABLE = struct.pack("<4i", 1, 2, 3, 4)
NAMES = b"one\0two\0"
FIXED_NAMES = struct.pack("<2Q", 0x402000, 0x402004)
OFFSETS = """
  6 .rodata            00000040  0000000000002000  0000000000002000  00002000  2**4  CONTENTS, ALLOC
0000000000002000 l     O .rodata\t0000000000000008              reltable.named
"""


def moved(parts: dict[int, bytes]) -> dict[str, str]:
    data = image(parts)
    return digests(data, layout(), pointers(text("relocations"), data, layout()))


def fixed(parts: dict[int, bytes]) -> dict[str, str]:
    where, data = layout("fixed.layout"), image(parts)
    return digests(data, where, pointers("", data, where))


def differ(one: dict[str, str], other: dict[str, str]) -> set[str]:
    return {name for name in one if one[name] != other[name]}


def test_a_table_is_the_bytes_that_are_in_it() -> None:
    one = moved({0x2010: TABLE, 0x2000: NAMES})
    other = moved({0x2010: TABLE[:12] + b"\x28\0\0\0", 0x2000: NAMES})

    assert one.keys() == {"table", "names", "steps"}
    assert differ(one, other) == {"table"}


def test_a_pointer_is_the_text_that_it_points_to() -> None:
    assert differ(moved({0x2000: NAMES}), moved({0x2000: b"one\0ten\0"})) == {"names"}
    assert pointers(text("relocations"), image({0x2000: NAMES}), layout()) == {
        0x3EF0: "b'one'",
        0x3EF8: "b'two'",
    }


def test_a_pointer_at_a_fixed_address_is_found_among_the_numbers() -> None:
    place = next(each for each in layout("fixed.layout").objects if each.name == "names")
    section = layout("fixed.layout").section_at(place.address)
    assert section is not None
    at = section.offset + place.address - section.address
    one = fixed({at: FIXED_NAMES, 0x2000: NAMES})
    other = fixed({at: FIXED_NAMES, 0x2000: b"one\0ten\0"})

    assert differ(one, other) == {"names"}


def test_offsets_are_what_they_point_to() -> None:
    where = parse(OFFSETS)
    one = image({0x2000: struct.pack("<2i", 0x20, 0x24), 0x2020: NAMES})
    same = image({0x2000: struct.pack("<2i", 0x30, 0x34), 0x2030: NAMES})
    other = image({0x2000: struct.pack("<2i", 0x20, 0x24), 0x2020: b"one\0ten\0"})

    assert digests(one, where, {}) == digests(same, where, {})
    assert digests(one, where, {}) != digests(other, where, {})
