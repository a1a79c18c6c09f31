from __future__ import annotations

from countci.explaining.binaries.producers import producers
from tests.unit.explaining.binaries.recorded import text

UNIT = """ <0><b>: Abbrev Number: 1 (DW_TAG_compile_unit)
    <c>   DW_AT_producer    : (indirect string, offset: 0x1c142d): {producer}
    <12>   DW_AT_name        : {name}
    <1a>   DW_AT_comp_dir    : (indexed string: 0x2): /stage
"""


def test_compiler_and_flags_are_told_by_file_below_the_stage() -> None:
    found = producers(text("units"), "/stage")

    assert found.keys() == {"rec.c"}
    assert found["rec.c"].startswith("GNU C17 12.2.0 ")
    assert " -O1 " in found["rec.c"]


def test_parts_of_a_crate_are_one_file_and_the_compilers_parentheses_stay() -> None:
    rust = "clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"
    units = "".join(
        UNIT.format(producer=rust, name=f"src/main.rs/@/main.{digit}d3c-cgu.0") for digit in "12"
    )

    assert producers(units, "/stage") == {"src/main.rs": rust}


def test_a_file_that_was_compiled_twice_has_both() -> None:
    units = "".join(UNIT.format(producer=f"GNU C17 -O{level}", name="a.c") for level in "02")

    assert producers(units, "/stage") == {"a.c": "GNU C17 -O0\nGNU C17 -O2"}


def test_files_elsewhere_keep_their_paths_and_artificial_ones_their_name() -> None:
    units = UNIT.format(producer="GNU GIMPLE", name="<artificial>")
    units += UNIT.format(producer="GNU C17", name="/usr/src/crt.c")

    assert producers(units, "/stage").keys() == {"<artificial>", "/usr/src/crt.c"}


def test_no_debug_information_is_no_producer() -> None:
    assert producers("\nrec:     file format elf64-x86-64\n\n", "/stage") == {}
