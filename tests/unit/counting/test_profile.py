"""Output files of cachegrind: what is read, and what is refused."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countci.counting.profile import parse
from countci.errors import MeasureError

SMALL = b"""\
desc: I1 cache:         32768 B, 64 B, 8-way associative
cmd: ./bank ask 10
events: Ir
fl=bank.c
fn=main
3 10
4 20
fn=field
12 300
fl=???
fn=malloc
0 5000
summary: 5330
"""
WITH_CACHES = b"""\
cmd: ./bank
events: I1mr Ir ILmr
fl=bank.c
fn=main
3 1 10 2
4 0 20 0
summary: 1 30 2
"""


def refused(data: bytes) -> MeasureError:
    with pytest.raises(MeasureError) as caught:
        parse(data, name="cg.1")
    return caught.value


def test_functions_and_total_are_read() -> None:
    profile = parse(SMALL, name="cg.1")

    assert profile.command == "./bank ask 10"
    assert profile.total == 5330
    assert profile.functions == {
        ("bank.c", "main"): 30,
        ("bank.c", "field"): 300,
        ("???", "malloc"): 5000,
    }


def test_lines_of_one_function_can_be_had_later() -> None:
    profile = parse(SMALL, name="cg.1")

    assert profile.lines("bank.c", "main") == {3: 10, 4: 20}
    assert profile.lines("???", "malloc") == {0: 5000}


def test_instructions_are_found_wherever_they_stand_among_the_events() -> None:
    profile = parse(WITH_CACHES, name="cg.1")

    assert profile.total == 30
    assert profile.lines("bank.c", "main") == {3: 10, 4: 20}


def test_a_file_without_the_last_newline_is_whole() -> None:
    assert parse(SMALL[:-1], name="cg.1").total == 5330


def test_a_repeated_function_is_added_up() -> None:
    twice = SMALL.replace(b"fl=???\nfn=malloc", b"fl=x.h\nfn=main\n9 1\nfl=bank.c\nfn=main")
    profile = parse(twice.replace(b"summary: 5330", b"summary: 5331"), name="cg.1")

    assert profile.functions["bank.c", "main"] == 5030
    assert profile.lines("bank.c", "main") == {0: 5000, 3: 10, 4: 20}


def test_an_inlined_file_keeps_the_function() -> None:
    inlined = SMALL.replace(b"fn=field\n", b"fi=bank.h\n")

    assert parse(inlined, name="cg.1").functions["bank.h", "main"] == 300


def test_a_command_may_hold_newlines() -> None:
    command = b"python3 -c import x\nfrom y import z\nfor i in z: pass\n"
    profile = parse(SMALL.replace(b"./bank ask 10", command), name="cg.1")

    assert profile.command == command.decode()
    assert profile.total == 5330


@pytest.mark.parametrize(
    ("change", "where", "problem"),
    [
        ((b"4 20\n", b"4 20 1\n"), "cg.1:7", "malformed line '4 20 1'"),
        ((b"4 20\n", b"4\n"), "cg.1:7", "malformed line '4'"),
        ((b"4 20\n", b"4 -20\n"), "cg.1:7", "malformed line '4 -20'"),
        ((b"4 20\n", b"\n"), "cg.1:7", "malformed line ''"),
        ((b"4 20\n", b"4 20\n\n"), "cg.1:8", "malformed line ''"),
        ((b"12 300", b"12  300"), "cg.1:9", "malformed line '12  300'"),
        ((b"fn=field", b"fx=field"), "cg.1:8", "malformed line 'fx=field'"),
        ((b"fl=bank.c\nfn=main\n", b"fl=bank.c\n"), "cg.1:4", "malformed line 'fl=bank.c'"),
        ((b"events: Ir", b"events: Dr"), "cg.1:3", "instructions (Ir) were not counted, only: Dr"),
        (
            (b"events: Ir\n", b""),
            "cg.1:13",
            "no events: the file is truncated, or not cachegrind's",
        ),
        ((b"cmd:", b"command:"), "cg.1:1", "not the head of a cachegrind file"),
        ((b"summary: 5330\n", b""), "cg.1:13", "no summary: the file is truncated"),
        ((b"5330", b"5331"), "cg.1:13", "the summary says 5,331, the functions add up to 5,330"),
        ((b"5330\n", b"5330\n1 2\n"), "cg.1:13", "the summary is malformed or not the last line"),
        ((b"5330", b""), "cg.1:13", "the summary is malformed or not the last line"),
        ((b"5330", b"9" * 5000), "cg.1:13", "the summary is malformed or not the last line"),
    ],
)
def test_a_damaged_file_is_refused_with_its_line(
    change: tuple[bytes, bytes], where: str, problem: str
) -> None:
    error = refused(SMALL.replace(*change))

    assert (error.where, error.problem) == (where, problem)


def test_an_empty_file_is_refused() -> None:
    assert refused(b"").problem == "the file is empty"


def test_a_total_of_zero_is_refused() -> None:
    nothing = b"cmd: x\nevents: Ir\nfl=a\nfn=b\n1 0\nsummary: 0\n"

    assert refused(nothing).problem == "nothing was counted"
    assert refused(b"cmd: x\nevents: Ir\nsummary: 0\n").problem == "nothing was counted"


names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1, max_size=20
)
counts = st.integers(0, 2**63)
functions = st.dictionaries(
    st.tuples(names, names),
    st.dictionaries(st.integers(0, 99_999), counts, min_size=1, max_size=8),
    min_size=1,
    max_size=8,
)


def written(content: dict[tuple[str, str], dict[int, int]]) -> bytes:
    rows = ["cmd: x", "events: Ir"]
    for (file, function), lines in content.items():
        rows += [f"fl={file}", f"fn={function}"]
        rows += [f"{line} {count}" for line, count in lines.items()]
    total = sum(sum(lines.values()) for lines in content.values())
    return "\n".join([*rows, f"summary: {total}", ""]).encode()


def total_or_place(data: bytes) -> int | str:
    """Return the total, or where the file is refused."""
    try:
        return parse(data, name="cg.1").total
    except MeasureError as error:
        return error.where


@given(functions)
def test_what_was_written_is_read(content: dict[tuple[str, str], dict[int, int]]) -> None:
    total = sum(sum(lines.values()) for lines in content.values())
    if total:
        profile = parse(written(content), name="cg.1")

        assert profile.total == total
        assert {key: profile.lines(*key) for key in profile.functions} == content


@given(st.integers(0, len(SMALL) - 2))
def test_a_truncated_file_is_refused_wherever_it_ends(length: int) -> None:
    assert re.fullmatch(r"cg\.1:\d+", str(total_or_place(SMALL[:length])))


@given(st.randoms(use_true_random=False))
def test_lines_in_another_order_are_refused_or_add_up_to_the_same(order: random.Random) -> None:
    lines = SMALL.splitlines(keepends=True)
    order.shuffle(lines)

    assert re.fullmatch(r"5330|cg\.1:\d+", str(total_or_place(b"".join(lines))))


@settings(max_examples=300)
@given(st.integers(0, len(SMALL)), st.integers(0, 12), st.binary(max_size=12))
def test_hostile_bytes_end_in_an_error_or_in_a_checked_total(
    at: int, removed: int, added: bytes
) -> None:
    damaged = SMALL[:at] + added + SMALL[at + removed :]
    found = total_or_place(damaged)

    if isinstance(found, int):
        assert damaged.rstrip().endswith(b"summary: %d" % found)
    else:
        assert re.fullmatch(r"cg\.1:\d+", found)


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    assert total_or_place(SMALL.replace(b"4 20", b"4 " + b"7" * 9000)) == "cg.1:7"
    assert total_or_place(SMALL.replace(b"4 20", b"7" * 9000 + b" 20")) == "cg.1:7"
