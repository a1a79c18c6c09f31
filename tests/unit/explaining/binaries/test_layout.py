from __future__ import annotations

import pytest

from countci.explaining.binaries.layout import parse
from tests.unit.explaining.binaries.recorded import layout


def test_named_data_is_found_by_its_address() -> None:
    found = layout()

    assert {each.name: each.size for each in found.objects} == {
        "table": 16,
        "names": 16,
        "steps": 4,
    }
    assert found.at(0x2010) == "table+0"
    assert found.at(0x201F) == "table+f"
    assert found.at(0x2020) is None
    assert found.at(0x10) is None


def test_functions_have_their_addresses() -> None:
    assert layout().functions == {0x1000: "fibonacci", 0x102E: "work", 0x1099: "_start"}


@pytest.mark.parametrize(("name", "fixed"), [("layout", False), ("fixed.layout", True)])
def test_a_program_that_lies_at_a_fixed_address_is_known(name: str, fixed: bool) -> None:  # noqa: FBT001
    assert layout(name).fixed is fixed


def test_only_sections_that_are_loaded_count() -> None:
    found = layout()
    section = found.section_at(0x2010)

    assert section is not None
    assert (section.name, section.offset, section.code) == (".rodata", 0x2000, False)
    assert found.code_size == 0xB8
    assert not any(each.name.startswith(".debug") for each in found.sections)


def test_numbers_that_a_compiler_gives_to_variables_are_left_out() -> None:
    line = "0000000000004010 l     O .bss\t0000000000000004              {}\n"
    found = parse(line.format("counter.12") + line.format(".hidden shared"))

    assert [each.name for each in found.objects] == ["counter", "shared"]


def test_a_stripped_file_has_no_names() -> None:
    assert parse("SYMBOL TABLE:\nno symbols\n").objects == ()
