from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.binaries.disassembly import digests
from countci.explaining.binaries.layout import parse
from tests.unit.explaining.binaries.recorded import layout, text

NOWHERE = parse("")


def digest(*instructions: str, title: str = "f", start: int = 0x1000) -> str:
    lines = [f"{start:016x} <{title}>:\n"]
    lines += [f"    {start + 4 * at:x}:\t{each}\n" for at, each in enumerate(instructions)]
    (found,) = digests(lines, NOWHERE).values()
    return found


@pytest.mark.parametrize("kind", ["", "fixed."])
def test_every_function_of_a_listing_has_a_digest(kind: str) -> None:
    lines = text(f"{kind}listing").splitlines(keepends=True)
    found = digests(lines, layout(f"{kind}layout"))

    assert found.keys() == {"fibonacci", "work", "_start"}
    assert len(set(found.values())) == 3


@given(st.integers(1, 2**20).map(lambda pages: pages * 4096))
def test_a_listing_that_lies_elsewhere_has_the_same_digests(moved: int) -> None:
    listing = (
        "{0:016x} <f>:\n"
        "    {0:x}:\tcall   {1:x} <g>\n"
        "    {0:x}:\tjmp    {0:x} <f>\n"
        "    {0:x}:\tje     {2:x} <f+0x5>\n"
        "    {0:x}:\tmov    0x{1:x}(%rip),%eax        # {1:x} <x+0x8>\n"
    )
    old = listing.format(0x1000, 0x2000, 0x1005)
    new = listing.format(0x1000 + moved, 0x2000 + 2 * moved, 0x1005 + moved)

    assert digests(old.splitlines(), NOWHERE) == digests(new.splitlines(), NOWHERE)


def test_what_fills_gaps_is_no_code() -> None:
    filled = digest("ret", "nop", "nopw   0x0(%rax,%rax,1)", "cs nopw 0x0(%rax)", "xchg   %ax,%ax")

    assert filled == digest("ret")
    assert digest("xchg   %ax,%bx") != digest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("add    $0x1,%eax", "add    $0x2,%eax"),
        ("call   2000 <g>", "call   2000 <h>"),
        ("call   *0x30(%rip)        # 40 <g@GLIBC_2.2.5>", "call   *0x30(%rip)        # 40 <h@V>"),
    ],
)
def test_other_code_has_another_digest(one: str, other: str) -> None:
    assert digest(one) != digest(other)


def test_a_jump_to_another_instruction_is_other_code() -> None:
    rest = ("inc    %eax", "inc    %ebx", "ret")

    assert digest("je     1008 <f+0x8>", *rest) != digest("je     100c <f+0xc>", *rest)


def test_a_loop_that_is_aligned_by_more_is_the_same_code() -> None:
    # gcc 14.2 -O2: the fillers are as many as the place of the function needs.
    near = digest("je     100c <f+0xc>", "xchg   %ax,%ax", "inc    %eax", "jne    1008 <f+0x8>")
    far = digest(
        *("je     1010 <f+0x10>", "data16 cs nopw 0x0(%rax,%rax,1)", "nopl   0x0(%rax)"),
        *("inc    %eax", "jne    100c <f+0xc>"),
    )

    assert near == far


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("call   2000 <g@plt>", "call   3000 <g>"),
        ("call   2000 <g.part.0>", "call   2010 <g.part.1>"),
        ("jmp    2000 <g+0x10>", "jmp    2010 <g+0x20>"),
        ("lea    0xec4(%rip),%rdi        # 2004 <_IO_stdin_used+0x4>",
         "lea    0xff4(%rip),%rdi        # 2034 <_IO_stdin_used+0x34>"),
    ],
)  # fmt: skip
def test_what_only_lies_elsewhere_has_the_same_digest(one: str, other: str) -> None:
    assert digest(one) == digest(other)


def test_data_with_a_name_belongs_to_the_code() -> None:
    lines = text("listing").replace("# 2010 <table>", "# 4000 <steps>").splitlines()
    before, after = digests(text("listing").splitlines(), layout()), digests(lines, layout())

    assert {name for name in before if before[name] != after[name]} == {"work"}


def test_addresses_in_a_program_at_a_fixed_address_are_named() -> None:
    old = text("fixed.listing")
    found = [
        digests(each.splitlines(), layout("fixed.layout"))["work"]
        for each in (
            old,
            old.replace("0x402010(,%rax", "0x402020(,%rax"),
            old.replace("$0x1,%eax", "$0x1000000,%eax"),
        )
    ]

    assert len(set(found)) == 3


def test_a_part_that_was_moved_away_counts_as_its_function() -> None:
    whole = ["0000000000001000 <f>:", "    1000:\tret", "", "0000000000002000 <f.cold>:"]
    other = [*whole, "    2000:\tud2"]

    assert digests(whole, NOWHERE).keys() == {"f"}
    assert digests(whole, NOWHERE) != digests(other, NOWHERE)


def test_functions_that_nobody_asked_for_are_skipped() -> None:
    lines = text("listing").splitlines()

    assert digests(lines, layout(), lambda name: name == "work").keys() == {"work"}
